import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { serviceWorkerName } from './content-security-policy.mjs'
import { repositoryRoot } from './run-command.mjs'

/** Payloads for moving to pages that are loaded instead, what only servers read, and the package. */
const notNeeded =
  /(^|\/)(\.|_headers$|_not-found|404\.html$)|(?<!^notices|^index|^tools|^files|^samples\/.*)\.txt$|\.(map|ts|tgz)$/

/** Writes the service worker of a built site; resolves with the files that it keeps. */
export async function writeServiceWorker(folder) {
  const files = await listSiteFiles(folder)
  await bundle(files, { outfile: join(folder, serviceWorkerName) })
  return files
}

/** The modules of the service worker. */
export async function serviceWorkerModules() {
  const { metafile } = await bundle([], { write: false, metafile: true })
  return Object.keys(metafile.inputs)
}

function bundle(files, options) {
  return build({
    absWorkingDir: repositoryRoot,
    entryPoints: [join(import.meta.dirname, 'service-worker.mjs')],
    bundle: true,
    minify: true,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"', SITE_FILES: JSON.stringify(files) },
    logLevel: 'warning',
    ...options,
  })
}

/** Every file that a page can ask for; its revision is null if its name has a hash. */
export async function listSiteFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !notNeeded.test(name) && name !== serviceWorkerName)
  return Promise.all(
    names.sort().map(async (name) => ({
      url: name.split('/').map(encodeURIComponent).join('/'),
      revision: name.startsWith('_next/static/') ? null : await hashOf(join(folder, name)),
    })),
  )
}

async function hashOf(path) {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
    .slice(0, 16)
}
