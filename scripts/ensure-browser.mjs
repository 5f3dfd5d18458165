import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { lastLines, repositoryRoot, runCommand } from './run-command.mjs'

const downloadLimitSeconds = 180

const commandNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Browser paths to try when none is on the PATH. */
export function usualPlaces(env = process.env) {
  const windowsFolders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
  return [
    ...commandNames.map((name) => `/usr/bin/${name}`),
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...windowsFolders
      .filter((folder) => folder !== undefined)
      .map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')),
  ]
}

/**
 * Finds a Chromium or Chrome that starts: named by the environment, installed, or downloaded by
 * Playwright earlier, in this order; null if there is none. Adds those that did not start to `tried`.
 */
export async function findBrowser(search = {}, tried = []) {
  const { env = process.env, places = usualPlaces(env), own = await playwrightsOwn() } = search
  const candidates = [
    ...['PLAYWRIGHT_CHROMIUM', 'CHROME_PATH'].map((name) => ({ path: env[name], source: name })),
    ...[...onPath(env), ...places].map((path) => ({ path, source: 'installed' })),
    { path: own, source: "Playwright's own" },
  ]
  for (const { path, source } of candidates) {
    if (!path) continue
    if (!existsSync(path)) {
      if (env[source] === path) tried.push(`${source} names ${path}, which is not there`)
      continue
    }
    if (await isWorking(path)) return { path, source }
    const sentence = `${path} does not start`
    if (!tried.includes(sentence)) tried.push(sentence)
  }
  return null
}

/**
 * Returns the path of a browser. Without one, installs it with Playwright or the system's packages.
 * Throws an error that names what was tried and what to install.
 */
export async function ensureBrowser({ isInstallAllowed = true, ...search } = {}) {
  const tried = []
  const env = search.env ?? process.env
  for (const install of [null, downloadWithPlaywright, installWithApt]) {
    if (install !== null && !isInstallAllowed) continue
    if (install !== null) tried.push(await install(env))
    const found = await findBrowser(search, tried)
    if (found !== null) {
      console.log(`Browser: ${found.path} (${found.source}).`)
      return found.path
    }
  }
  const attempts = tried.length === 0 ? '' : ` Tried: ${[...new Set(tried)].join('; ')}.`
  throw new Error(
    `No browser to test with.${attempts}\nInstall Chromium or Google Chrome, or name one in PLAYWRIGHT_CHROMIUM.`,
  )
}

function onPath(env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => commandNames.map((name) => join(folder, name)))
}

async function playwrightsOwn() {
  const { chromium } = await import('playwright')
  return chromium.executablePath()
}

/** A file may exist and still not start: Ubuntu's stub for the snap, or missing libraries. */
async function isWorking(path) {
  // Chrome on Windows opens a window instead of printing its version.
  if (process.platform === 'win32') return true
  const result = await runCommand(path, ['--version'], { isQuiet: true, timeLimitSeconds: 20 })
  return result.status === 0 && /Chrom/.test(result.output)
}

async function downloadWithPlaywright(env) {
  console.log(`Downloading a browser with Playwright (${downloadLimitSeconds} s at most).`)
  const tool = join(repositoryRoot, 'node_modules', 'playwright', 'cli.js')
  const { status, output, isTimedOut } = await runCommand(
    process.execPath,
    [tool, 'install', 'chromium'],
    { env, isQuiet: true, timeLimitSeconds: downloadLimitSeconds },
  )
  if (status === 0) return "Playwright's download (finished)"
  const reason = isTimedOut ? 'took too long' : (/Error: (.*)/.exec(output)?.[1] ?? 'failed')
  console.log(`Playwright's download did not work: ${reason}`)
  return `Playwright's download (${reason})`
}

/** Resolves with what was tried and how it ended. */
async function installWithApt(env) {
  const aptGet = '/usr/bin/apt-get'
  if (!existsSync(aptGet)) return 'apt-get (not here)'
  // sudo clears the environment, hence env(1).
  const prefix = process.getuid?.() === 0 ? ['env'] : ['sudo', '-n', 'env']
  const run = (args) =>
    runCommand(prefix[0], [...prefix.slice(1), 'DEBIAN_FRONTEND=noninteractive', aptGet, ...args], {
      env,
      isQuiet: true,
      timeLimitSeconds: 600,
    })
  console.log('Installing Chromium with apt-get.')
  const update = await run(['update'])
  const install = await run(['install', '-y', '--no-install-recommends', 'chromium'])
  if (install.status === 0) return 'apt-get install chromium (finished)'
  console.log(lastLines(update.status === 0 ? install.output : update.output, 5))
  return `${prefix[0] === 'sudo' ? 'sudo -n ' : ''}apt-get install chromium (failed)`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensureBrowser().catch((error) => {
    console.error(error.message)
    process.exit(1)
  })
}
