/** @type {import('next').NextConfig} */
const config = {
  output: 'export',
  basePath: process.env.BASE_PATH ?? '',
  reactStrictMode: true,
  devIndicators: false,
}

export default config
