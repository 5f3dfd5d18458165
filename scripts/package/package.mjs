import { buildPackage } from './build-package.mjs'

const startedAt = Date.now()
const { tarball, bytes, sizes } = await buildPackage()
const kilobytes = (size) => `${Math.round(size / 1000)} kB`
for (const [name, size] of Object.entries(sizes)) console.log(`${name}: ${kilobytes(size)}`)
console.log(`${tarball}: ${kilobytes(bytes)}, after ${(Date.now() - startedAt) / 1000} s`)
console.log(`\nnpm install ${tarball}`)
