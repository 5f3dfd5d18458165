/** Installs an agent and runs it without a terminal through the proxy, in front of a provider that asks for its tools. */
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DEFAULT_POLICY, type MaskPolicy } from '../../../core/policy/policy'
import { type Agent, type Library, PROXY } from '../../../core/share/exports/agents'
import { type Answer, callsIn } from '../../../core/testing/provider-answers'
import { historiesOf, startProviderServer } from '../../../core/testing/provider-server'
import { itemsOf, type JsonObject, membersOf } from '../../../core/text/json'
import { createProxy, type ProxyOptions } from '../../proxy/create-proxy'
import type { RequestSummary } from '../../proxy/proxy-metrics'

/** How an agent is run in a test, by its command. */
export interface AgentRun {
  readonly args: (model: string) => readonly string[]
  /** The tool it reads files with, and its arguments; `{n}` is the number of the file. */
  readonly tool: readonly [name: string, args: JsonObject]
  /** Its session: a file, or the commands that list sessions and print one. */
  readonly session: RegExp | readonly [readonly string[], RegExp, readonly string[]]
  readonly models: readonly string[]
  /** It asks for thinking. */
  readonly thinks?: true
}

export const TURNS = 6
export const WINDOW = 2
/** Milliseconds between two events of an answer. */
export const PAUSE = 40
export const policyOf = ({ policy }: Agent): MaskPolicy => {
  return { ...DEFAULT_POLICY, enabled: true, windowTurns: WINDOW, ...policy }
}
const PROMPT = 'Read the parts.'
export const SAID = 'All parts are read.'

const bash = (name: string) =>
  [name, { command: 'cat part-{n}.txt', description: 'Read part {n}' }] as const
const shell = [
  'run_shell_command',
  { command: 'cat part-{n}.txt', is_background: false, description: 'Read part {n}' },
] as const
const exported = [['session', 'list'], /ses_\w+/, ['export']] as const
const CLAUDE = ['claude-sonnet-4-5', 'claude-opus-5-5']

export const RUNS: Readonly<Record<string, AgentRun>> = {
  claude: {
    args: (model) => ['-p', PROMPT, '--model', model, '--allowedTools', 'Bash'],
    tool: bash('Bash'),
    session: /^.claude\/projects\/.*jsonl$/,
    models: CLAUDE,
    thinks: true,
  },
  codex: {
    args: (model) => [
      ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
      ...['-m', model, PROMPT],
    ],
    tool: ['exec_command', { cmd: 'cat part-{n}.txt' }],
    session: /^.codex\/sessions\/.*jsonl$/,
    models: ['gpt-5.5'],
  },
  gemini: {
    args: (model) => ['-p', PROMPT, '--yolo', '--skip-trust', '-m', model],
    tool: shell,
    session: /^.gemini\/tmp\/.*jsonl$/,
    models: ['gemini-2.5-pro'],
  },
  opencode: {
    args: (model) => ['run', '--auto', '-m', `anthropic/${model}`, PROMPT],
    tool: bash('bash'),
    session: exported,
    models: CLAUDE,
    thinks: true,
  },
  kilo: {
    args: () => ['run', '--auto', PROMPT],
    tool: bash('bash'),
    session: exported,
    models: ['gpt-5.5'],
  },
  qwen: {
    args: (model) => ['-p', PROMPT, '--yolo', '-m', model],
    tool: shell,
    session: /^.qwen\/projects\/.*chats.*jsonl$/,
    models: ['qwen3-coder-plus'],
  },
  pi: {
    args: (model) => ['-p', '--model', model, '--thinking', 'medium', PROMPT],
    tool: bash('bash'),
    session: /^.pi\/agent\/sessions\/.*jsonl$/,
    models: CLAUDE,
    thinks: true,
  },
  cline: {
    args: () => [PROMPT],
    tool: ['run_commands', { commands: ['cat part-{n}.txt'] }],
    session: /^.cline\/data\/sessions\/.*messages.json$/,
    models: ['gpt-5.5'],
  },
  cn: {
    args: () => ['-p', PROMPT, '--auto'],
    tool: bash('Bash'),
    session: /^.continue\/sessions\/.*-.*json$/,
    models: CLAUDE,
  },
  copilot: {
    args: () => ['-p', PROMPT, '--allow-all-tools'],
    tool: bash('bash'),
    session: /^.copilot\/session-state\/.*events.jsonl$/,
    models: ['gpt-5.5'],
  },
}

/** Outside the repository; a second run installs nothing. */
const CACHE = join(tmpdir(), 'observation-masking-agents')

/** Installs a package once; resolves with its folder, or with why it cannot be installed. */
export async function install(
  name: string,
  more: readonly string[] = [],
): Promise<{ folder: string } | { problem: string }> {
  const folder = join(CACHE, name.replaceAll('/', '+'))
  if (existsSync(join(folder, 'package-lock.json'))) return { folder }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const npm = (...flags: string[]) =>
    run('npm', ['install', '--no-audit', '--no-fund', ...flags, name, ...more], folder, process.env)
  // Some download a binary after they are installed, which is in a package of its own too.
  let installed = await npm()
  if (installed.code !== 0) installed = await npm('--ignore-scripts')
  return installed.code === 0 ? { folder } : { problem: lastLine(installed.errors) }
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''

interface Ended {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

export function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<Ended>((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    // The time is for the slowest of them on a busy machine.
    const child = spawn(command, args, { cwd, env, stdio: [...stdio], timeout: 240_000 })
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece))
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (errors += piece))
    child.on('error', (error) => resolve({ code: null, output, errors: error.message }))
    child.on('close', (code) => resolve({ code, output, errors }))
  })
}

export const KEYS = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' }

/** A provider, and the proxy before it. */
async function start(
  target: string,
  {
    answer,
    ...options
  }: Pick<ProxyOptions, 'record'> & {
    readonly answer: (body: JsonObject) => Answer
    readonly policy: MaskPolicy
  },
) {
  const provider = await startProviderServer({ isStrict: true, pause: PAUSE, answer })
  const summaries: RequestSummary[] = []
  const proxy = await createProxy({
    ...options,
    target: new URL(new URL(target).pathname, provider.baseUrl),
    policy: () => options.policy,
    onRequest: (summary) => summaries.push(summary),
  })
  return { provider, proxy, url: `http://127.0.0.1:${await proxy.listen(0)}`, summaries }
}

/** The content of each result in the histories that libraries send. */
export const OLD = 'an old output of a tool, '.repeat(20)

/** Runs the code of a library behind the proxy, and then `asked`, which sends a history. */
export async function runLibrary(library: Library, folder: string, asked: string) {
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: WINDOW }
  const answer = () => ({ content: SAID })
  const { provider, proxy, url } = await start(library.target, { answer, policy })
  const ids = Array.from({ length: TURNS }, (_, at) => `call_${at}`)
  writeFileSync(join(folder, 'histories.json'), JSON.stringify(historiesOf(ids, OLD)))
  const histories = `import { readFileSync } from 'node:fs'
const { chat, blocks, parts } = JSON.parse(readFileSync('histories.json', 'utf8'))`
  const code = [library.code.replaceAll(PROXY, url), histories, asked].join('\n')
  writeFileSync(join(folder, 'asked.mjs'), code)
  const env = { PATH: process.env.PATH, ...KEYS, NODE_ENV: 'production' as const }
  const ended = await run(process.execPath, ['asked.mjs'], folder, env)
  await proxy.close()
  await provider.close()
  return { ...ended, provider }
}

/** A text that stands in one file only. */
export const markOf = (part: number, line: number) => `mark-${part}-${line} of the part`

/** What was seen of a run. A request of the agent itself offers its tools; others ask for titles and such. */
export interface SeenRun extends Ended {
  readonly provider: Awaited<ReturnType<typeof startProviderServer>>
  readonly summaries: readonly RequestSummary[]
  readonly records: readonly string[]
  readonly session: string
}

/** A home folder with a project of parts to read. */
export function makeHome(agent: Agent) {
  const home = mkdtempSync(join(tmpdir(), `agent-${agent.command}-`))
  const cwd = join(home, 'project')
  mkdirSync(cwd)
  for (let part = 0; part < TURNS; part++) {
    const lines = Array.from({ length: 40 }, (_, line) => markOf(part, line))
    writeFileSync(join(cwd, `part-${part}.txt`), lines.join('\n'))
  }
  return { home, cwd }
}

export async function runAgent(
  agent: Agent,
  folder: string,
  model: string,
  isMasked: boolean,
): Promise<SeenRun> {
  const { args, tool, session } = RUNS[agent.command] as AgentRun
  const { home, cwd } = makeHome(agent)
  const { provider, proxy, url, summaries } = await start(agent.target, {
    answer: (body) => answerTo(body, tool),
    policy: { ...policyOf(agent), enabled: isMasked },
    record: join(home, 'record'),
  })
  const fill = (text: string) =>
    text
      .replaceAll(PROXY, url)
      .replace('$OPENAI_API_KEY', 'k')
      .replace(CLAUDE[0] ?? '', model)
  const { file, setup, args: own = [], env: variables = {} } = agent
  const env: NodeJS.ProcessEnv = {
    ...{ PATH: process.env.PATH, HOME: home, TERM: 'dumb', NODE_ENV: 'production' },
    ...KEYS,
    ...Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, fill(text)])),
  }
  if (file !== undefined) {
    mkdirSync(dirname(join(home, file.path)), { recursive: true })
    writeFileSync(join(home, file.path), fill(file.text))
  }
  const command = join(folder, 'node_modules/.bin', agent.command)
  const runIn = (more: readonly string[]) => run(command, more.map(fill), cwd, env)
  if (setup !== undefined) await runIn(setup)
  const ended = await runIn([...own, ...args(model)])
  await proxy.close()
  await provider.close()
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
  const read = (pattern: RegExp) =>
    files.filter((path) => pattern.test(path)).map((path) => readFileSync(join(home, path), 'utf8'))
  let text: string | undefined
  if (session instanceof RegExp) text = read(session).at(-1)
  else {
    const [list, id, print] = session
    const [found = ''] = id.exec((await runIn(list)).output) ?? []
    text = (await runIn([...print, found])).output
  }
  const records = read(/^record\/.*jsonl$/)
  rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  return { ...ended, provider, summaries, records, session: text ?? '' }
}

const namesOf = (tool: JsonObject) =>
  [tool, membersOf(tool.function), ...itemsOf(tool.functionDeclarations).map(membersOf)].map(
    ({ name }) => name,
  )

/** True for a request that offers tools. */
export const isMain = (body: JsonObject) => itemsOf(body.tools).length > 0

/** Asks for the parts one by one, and then says that they are read. */
export function answerTo(body: JsonObject, [name, args]: AgentRun['tool']): Answer {
  const part = callsIn(body)
  const offered = itemsOf(body.tools).map(membersOf).flatMap(namesOf)
  if (part >= TURNS || !offered.includes(name)) return { content: SAID }
  const { type = 'disabled' } = membersOf(body.thinking)
  const written = JSON.stringify(args).replaceAll('{n}', String(part))
  return {
    content: `Reading part ${part}.`,
    ...(type !== 'disabled' && { thinking: `Part ${part} is next.` }),
    tool_calls: [{ id: `call_${part}_of_six`, function: { name, arguments: written } }],
  }
}
