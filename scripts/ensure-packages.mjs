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
  if (installed === null) return 'there are no packages yet, or the last install did not finish'
  for (const path of Object.keys({ ...wanted, ...installed })) {
    const [one, other] = [wanted[path], installed[path]]
    // Optional packages are mostly builds for other systems.
    if (path === '' || (other === undefined && (one.optional || one.devOptional))) continue
    if (other === undefined) return `${path} is not installed`
    if (one?.version !== other.version || one.integrity !== other.integrity) {
      return `${path} is not what package-lock.json names`
    }
    const isForThisMachine =
      (other.os ?? [process.platform]).includes(process.platform) &&
      (other.cpu ?? [process.arch]).includes(process.arch)
    if (!isForThisMachine) return `${path} is for another system`
    if (!existsSync(join(root, path, 'package.json'))) return `${path} is gone`
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
  // The npm that started this script, run by node itself: `npm` alone is a .cmd file on Windows.
  const own = process.env.npm_execpath
  const [command, ...before] = own?.endsWith('npm-cli.js')
    ? [process.execPath, own]
    : process.platform === 'win32'
      ? ['cmd.exe', '/c', 'npm']
      : ['npm']
  // Tailwind and TypeScript are needed to build even where NODE_ENV says production.
  const args = [...before, 'ci', '--include=dev', '--no-audit', '--no-fund']
  const { status, output } = await runCommand(command, args, { cwd: root, isQuiet: true, say })
  if (status === 0) return
  // npm says the reason first and ends with its manual.
  const reason = output.split('\n').filter((line) => !line.startsWith('npm warn'))
  throw new Error(
    `npm ci failed with status ${status}:\n${indent(reason.slice(0, 15))}\nIt needs the npm registry and the right to write to ${join(root, 'node_modules')}.`,
  )
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null
  } catch {
    return null
  }
}
