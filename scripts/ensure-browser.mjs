import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { lastLines, repositoryRoot, runCommand } from './run-command.mjs'

const commandNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Browser paths to try when none is on the PATH. */
function usualPlaces({ PROGRAMFILES = '', LOCALAPPDATA = '' }) {
  return [
    ...commandNames.map((name) => `/usr/bin/${name}`),
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    join(PROGRAMFILES, 'Google', 'Chrome', 'Application', 'chrome.exe'),
    join(LOCALAPPDATA, 'Google', 'Chrome', 'Application', 'chrome.exe'),
  ]
}

/**
 * Finds a Chromium or Chrome that starts: named by the environment, installed, or downloaded by
 * Playwright earlier, in this order; null if there is none. Adds those that did not start to `tried`.
 */
export async function findBrowser(search = {}, tried = new Set()) {
  const { env = process.env, places = usualPlaces(env), own = await playwrightsOwn() } = search
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = folders.flatMap((folder) => commandNames.map((name) => join(folder, name)))
  const candidates = [
    ...['PLAYWRIGHT_CHROMIUM', 'CHROME_PATH'].map((source) => ({ path: env[source], source })),
    ...[...onPath, ...places].map((path) => ({ path, source: 'installed' })),
    { path: own, source: "Playwright's own" },
  ]
  for (const { path, source } of candidates) {
    if (!path) continue
    const isThere = existsSync(path)
    if (isThere && (await isWorking(path))) return { path, source }
    if (isThere) tried.add(`${path} does not start`)
    else if (env[source] === path) tried.add(`${source} names ${path}, which is not there`)
  }
  return null
}

/**
 * Returns the path of a browser. Without one, installs it with Playwright or the system's packages.
 * Throws an error that names what was tried and what to install.
 */
export async function ensureBrowser({ isInstallAllowed = true, ...search } = {}) {
  const tried = new Set()
  for (const install of [undefined, ...(isInstallAllowed ? installers() : [])]) {
    if (install !== undefined) tried.add(await runInstaller(install))
    const found = await findBrowser(search, tried)
    if (found === null) continue
    console.log(`Browser: ${found.path} (${found.source}).`)
    return found.path
  }
  const attempts = tried.size === 0 ? '' : ` Tried: ${[...tried].join('; ')}.`
  throw new Error(
    `No browser to test with.${attempts}\nInstall Chromium or Google Chrome, or name one in PLAYWRIGHT_CHROMIUM.`,
  )
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

/** Ways to install a browser: what it is called, the most seconds it may take, and its command. */
function installers() {
  const playwright = join(repositoryRoot, 'node_modules', 'playwright', 'cli.js')
  // sudo clears the environment, hence env(1).
  const apt = `${process.getuid?.() === 0 ? '' : 'sudo -n '}env DEBIAN_FRONTEND=noninteractive apt-get`
  const packages = `${apt} update; ${apt} install -y --no-install-recommends chromium`
  return [
    ["Playwright's download", 180, process.execPath, playwright, 'install', 'chromium'],
    ['apt-get install chromium', 600, 'sh', '-c', packages],
  ]
}

/** Resolves with what was tried and how it ended. */
async function runInstaller([title, timeLimitSeconds, command, ...args]) {
  console.log(`Installing a browser: ${title} (${timeLimitSeconds} s at most).`)
  const options = { isQuiet: true, timeLimitSeconds }
  const { status, output, isTimedOut } = await runCommand(command, args, options)
  if (status === 0) return `${title} (finished)`
  console.log(lastLines(output, 5))
  return `${title} (${isTimedOut ? 'took too long' : 'failed'})`
}
