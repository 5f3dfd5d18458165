/** `watch`: an agent behind the proxy, and the page beside it. */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeFlags, flagsOf, parseFlags, UsageError } from '../../cli/flags'
import { completePolicy } from '../../core/policy/complete-policy'
import { writePolicyToml } from '../../core/share/toml/policy-toml'
import { makeFolder } from '../proxy/change-in-thread'
import { createProxy } from '../proxy/create-proxy'
import { raiseHeapLimit } from '../proxy/raise-heap-limit'
import { openAppliedPolicy } from './applied-policy'
import { agentOf, createTargets, PROVIDERS, startOf } from './clients'
import providers from './providers.json' with { type: 'json' }
import texts from './texts.json' with { type: 'json' }
import { createWatchRoutes, newSecret } from './watch-routes'

const DEFAULT_PORT = 8787
/** Milliseconds for requests under way at the end. */
const GRACE = 2_000

const FLAGS = flagsOf(texts.flags, {
  port: DEFAULT_PORT,
  ...Object.fromEntries(PROVIDERS.map((name) => [name, providers[name].target])),
})

/** The built page: in the package beside the bundles, in a clone where the build puts it. */
const isSource = import.meta.url.endsWith('.ts')
const builtSite = (isSource ? ['../../../out/'] : ['../site/', '../../site/'])
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(join(path, 'index.html')))

/** The flags, and the command after `--` or after the last flag. */
function split(args: readonly string[]) {
  let at = 0
  while (args[at]?.startsWith('--') && args[at] !== '--') {
    const flag = FLAGS.find(({ name }) => `--${name}` === args[at])
    at += flag?.kind === 'value' ? 2 : 1
  }
  return { own: args.slice(0, at), command: args.slice(args[at] === '--' ? at + 1 : at) }
}

/** Runs until the command ends, or without one until a signal; resolves with the exit status. */
export async function watch(args: readonly string[]): Promise<number> {
  const { own, command } = split(args)
  const flags = parseFlags(own, FLAGS)
  if (flags.isOn('help')) {
    process.stdout.write(`${texts.usage.join('\n')}\n\n${describeFlags(FLAGS)}\n`)
    return 0
  }
  const here = (path: string) => resolve(process.env.INIT_CWD ?? process.cwd(), path)
  const given = flags.text('site')
  const site = given === undefined ? builtSite : here(given)
  if (site === undefined || !existsSync(join(site, 'index.html')))
    throw new UsageError(`There is no built page in ${site ?? 'out/'}; npm run build makes it.`)
  const port = flags.within('port', 0, 65_535)
  const followed = flags.texts('follow').map(here)
  const folderAmong = followed.find((path) => existsSync(path) && !statSync(path).isFile())
  if (folderAmong !== undefined)
    throw new UsageError(`--follow is "${folderAmong}"; expected a file of JSON Lines.`)
  const agent = agentOf(command)
  const { targetOf } = createTargets((name) => flags.text(name), process.env, agent)

  const folder = mkdtempSync(join(tmpdir(), 'observation-masking-watch-'))
  const leave = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', leave)
  const record = flags.text('record')
  const sessions = record === undefined ? folder : here(record)
  const config = flags.text('config')
  const policyFile = config === undefined ? join(folder, 'policy.toml') : here(config)
  if (config === undefined) {
    const policy = completePolicy({ ...agent?.policy, enabled: false })
    writeFileSync(policyFile, writePolicyToml(policy, true), { mode: 0o600 })
  }

  let child: ChildProcess | undefined
  const later: string[] = []
  /** An agent draws on the whole terminal: meanwhile its title says it, and the terminal at the end. */
  const say = (sentence: string) => {
    if (child === undefined || !process.stderr.isTTY)
      return void process.stderr.write(`${sentence}\n`)
    later.push(sentence)
    process.stderr.write(`\u001b]0;${sentence}\u0007`)
  }
  const policy = openAppliedPolicy(policyFile, say)
  // A page that this run lets in is let in by the next one that records there, too.
  const cookie = record === undefined ? undefined : keptSecret(sessions)
  const watched = createWatchRoutes(sessions, site, policy, cookie)
  raiseHeapLimit()
  const proxy = await createProxy({
    target: targetOf,
    policy: policy.policy,
    policyProblem: policy.problem,
    record: sessions,
    onRequest: watched.ended,
    onRecord: (recorded) => void watched.grew(recorded),
    onProblem: say,
    routes: watched.routes,
  })
  const taken = await proxy.listen(port ?? DEFAULT_PORT).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    if (port !== undefined)
      throw new UsageError(`Port ${port} is in use; --port takes another one.`)
    return proxy.listen(0)
  })
  const ends = followed.map(watched.followFile)
  for (const path of followed.filter((path) => !existsSync(path)))
    say(`${path} is not there yet; the page shows it once it is written.`)
  const url = `http://127.0.0.1:${taken}`
  const { printed, opened } = watched.addresses(url)
  say(`The page beside the agent: ${printed}`)
  if (!flags.isOn('no-open')) openBrowser(opened)

  const { program, args: rest, variables, notes } = startOf(command, url, process.env)
  for (const note of notes) say(note)
  const status = await new Promise<number>((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      // The terminal sends an interrupt to the command as well.
      if (child === undefined) resolve(0)
      else if (signal !== 'SIGINT') child.kill(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
    if (command.length === 0) {
      const lines = Object.entries(variables).map((pair) => `export ${pair.join('=')}`)
      say(
        `In another terminal:\n\n${lines.join(' ').replaceAll(' export ', ' ')}\nclaude    # or another client\n`,
      )
      return
    }
    const env = { ...process.env, ...variables }
    const cwd = here('.')
    child = spawn(program, rest, {
      cwd,
      env,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    child.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      child = undefined
      const reason = code === 'ENOENT' ? 'there is no such program.' : message
      say(`${program} cannot be started: ${reason}`)
      resolve(127)
    })
    child.on('exit', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
  child = undefined
  policy.close()
  for (const end of ends) end()
  await proxy.close(GRACE)
  for (const sentence of later) say(sentence)
  if (record !== undefined) say(`The sessions are in ${sessions}.`)
  return status
}

/** The secret of a folder, which only this user can read or change. One that cannot be kept is of this run only. */
export function keptSecret(folder: string): string {
  const path = join(folder, '.watch-cookie')
  try {
    makeFolder(folder)
    if (!existsSync(path)) writeFileSync(path, newSecret(), { mode: 0o600, flag: 'wx' })
    // No link, and no file that others read.
    const { mode, uid } = lstatSync(path)
    const isOwn = uid === process.getuid?.() && (mode & 0o170077) === 0o100000
    const around = statSync(folder)
    const isClosed = around.uid === uid && (around.mode & 0o22) === 0
    // A full disk leaves an empty one.
    const [secret] = /^[\w-]{32}$/.exec(readFileSync(path, 'utf8')) ?? []
    if (isOwn && isClosed && secret !== undefined) return secret
  } catch {}
  return newSecret()
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** A browser that is missing is no problem: the address is printed. */
function openBrowser(address: string): void {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? []
  const opened = spawn(program, [...args, address], { detached: true, stdio: 'ignore' })
  opened.on('error', () => {})
  opened.unref()
}
