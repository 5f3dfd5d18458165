import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const basePath = process.env.BASE_PATH ?? ''

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** The start of the commit's hash, with + if files differ; empty where it is unknown. A repository around this folder does not count. */
function commit() {
  const { COMMIT, GITHUB_SHA } = process.env
  const named = COMMIT ?? GITHUB_SHA
  if (named) return named.slice(0, 7)
  const describe = ['describe', '--always', '--abbrev=7', '--dirty=+', '--exclude=*']
  try {
    return execFileSync('git', ['--git-dir=.git', ...describe], {
      cwd: new URL('.', import.meta.url),
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    }).trim()
  } catch {
    return ''
  }
}

/** @type {import('next').NextConfig} */
const config = {
  output: 'export',
  basePath,
  // The router keeps the slash after the base path, where its texts of the first page are.
  skipTrailingSlashRedirect: true,
  env: {
    NEXT_PUBLIC_BASE_PATH: basePath,
    NEXT_PUBLIC_VERSION: version,
    NEXT_PUBLIC_COMMIT: commit(),
    // Set by `scripts/build.mjs`.
    NEXT_PUBLIC_FIRST_SAMPLE: process.env.FIRST_SAMPLE ?? '',
  },
  // A browser reads the packed tables of the tokenizer several times faster than the lists that they are made of,
  // ids of formats without the formats, and the words of settings that the page shows.
  turbopack: {
    rules: {
      './lib/core/tokens/tables/*.ts': { loaders: ['./scripts/evaluate-at-build.mjs'], as: '*.js' },
      './lib/core/formats/format-ids.ts': {
        loaders: ['./scripts/evaluate-at-build.mjs'],
        as: '*.js',
      },
      './lib/messages/english-settings.ts': {
        loaders: ['./scripts/evaluate-at-build.mjs'],
        as: '*.js',
      },
    },
  },
  // Writing the cache takes a quarter of the build, and the next build hardly uses it. What only writes the pages need not be small.
  experimental: { turbopackFileSystemCacheForBuild: false, serverMinification: false },
  // `npm test` checks the types, once.
  typescript: { ignoreBuildErrors: true },
  // `scripts/notices.mjs` reads them and takes them out.
  productionBrowserSourceMaps: true,
  reactStrictMode: true,
  devIndicators: false,
}

export default config
