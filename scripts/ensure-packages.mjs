import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { indent, repositoryRoot, runCommand } from './run-command.mjs'

/**
 * Returns why the installed packages differ from package-lock.json; null if they are the same.
 * npm writes node_modules/.package-lock.json last, so an interrupted install is also detected.
 */
export function findPackagesProblem(root = repositoryRoot) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (wanted === null) return 'package-lock.json cannot be read'
  if (installed === null) {
    return existsSync(join(root, 'node_modules'))
      ? 'the last install did not finish'
      : 'there are no packages yet'
  }
  for (const [path, entry] of Object.entries(installed)) {
    if (wanted[path]?.version !== entry.version || wanted[path]?.integrity !== entry.integrity) {
      return `${path} is not what package-lock.json names`
    }
    if (!isForThisMachine(entry)) return `${path} is for another system`
    if (!existsSync(join(root, path, 'package.json'))) return `${path} is gone`
  }
  for (const [path, entry] of Object.entries(wanted)) {
    // Optional packages are mostly builds for other systems.
    if (path !== '' && !entry.optional && !entry.devOptional && installed[path] === undefined) {
      return `${path} is not installed`
    }
  }
  return null
}

/**
 * Installs the packages of package-lock.json if they differ. Throws an error with a sentence to show.
 * `say` receives progress messages; a command whose standard output is its result prints them elsewhere.
 */
export async function ensurePackages(say = console.log, root = repositoryRoot) {
  const problem = findPackagesProblem(root)
  if (problem === null) return
  say(`Installing packages (npm ci): ${problem}.`)
  const { command, prefix } = npmCommand()
  // Tailwind and TypeScript are needed to build even where NODE_ENV says production.
  const args = [...prefix, 'ci', '--include=dev', '--no-audit', '--no-fund']
  const startedAt = Date.now()
  const { status, output } = await runCommand(command, args, { cwd: root, isQuiet: true, say })
  if (status !== 0) {
    // npm says the reason first and ends with its manual.
    const reason = output.split('\n').filter((line) => !line.startsWith('npm warn'))
    throw new Error(
      `npm ci failed with status ${status}:\n${indent(reason.slice(0, 15))}\nIt needs the npm registry and the right to write to ${join(root, 'node_modules')}.`,
    )
  }
  say(`Packages installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null
  } catch {
    return null
  }
}

function isForThisMachine(entry) {
  const allows = (list, value) =>
    list === undefined ||
    (!list.includes(`!${value}`) && (list.includes(value) || list.every((one) => one[0] === '!')))
  return allows(entry.os, process.platform) && allows(entry.cpu, process.arch)
}

function npmCommand() {
  // The npm that started this script, run by node itself: `npm` alone is a .cmd file on Windows.
  const running = process.env.npm_execpath
  if (running?.endsWith('npm-cli.js')) return { command: process.execPath, prefix: [running] }
  return process.platform === 'win32'
    ? { command: 'cmd.exe', prefix: ['/c', 'npm'] }
    : { command: 'npm', prefix: [] }
}
