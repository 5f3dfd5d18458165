import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addContentSecurityPolicy, writeHeadersFile } from './content-security-policy.mjs'
import { hashInputs, outputFolder, writeStamp } from './ensure-build.mjs'
import { writeNotices } from './notices.mjs'
import { buildPackage, distFolder } from './package/build-package.mjs'
import { repositoryRoot, runCommand } from './run-command.mjs'
import { serviceWorkerModules, writeServiceWorker } from './write-service-worker.mjs'

const inputs = hashInputs()
// The name changes with the code, so that no page gets answers of another version.
const firstSample = `samples/first-${inputs.slice(0, 8)}.json`
const next = join(repositoryRoot, 'node_modules', 'next', 'dist', 'bin', 'next')
const { status } = await runCommand(process.execPath, [next, 'build'], {
  env: {
    ...process.env,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    FIRST_SAMPLE: firstSample,
  },
})
if (status !== 0) process.exit(status)
const answered = await runCommand(process.execPath, [
  join(import.meta.dirname, 'run.mjs'),
  'scripts/first-sample/write-first-sample.ts',
  join(outputFolder, firstSample),
])
if (answered.status !== 0) process.exit(answered.status)

writeNotices(outputFolder, await serviceWorkerModules())
const pages = await addContentSecurityPolicy(outputFolder)
const { tarball } = await buildPackage(distFolder, outputFolder)
await copyFile(tarball, join(outputFolder, 'observation-masking.tgz'))
await writeHeadersFile(outputFolder)
const { length: files } = await writeServiceWorker(outputFolder)
console.log(`Content security policy written into ${pages} pages; ${files} files work offline.`)
writeStamp(inputs)
