/** How agents and libraries are put behind the proxy: what to set, and where. For the page and for `docs/agents.md`. */
import type { FormatId } from '../../formats/read-document'
import type { MaskPolicy } from '../../policy/policy'
import { writePolicyToml } from '../toml/policy-toml'
import clients from './agents.json' with { type: 'json' }

/** The proxy's address, as it is by default and stands in the table. */
export const PROXY = 'http://127.0.0.1:8787'

interface Client {
  readonly name: string
  /** Its npm package with the version that was tried. */
  readonly package: string
  readonly api: string
  /** The provider's address, for `--target`. */
  readonly target: string
}

export interface Agent extends Client {
  /** Its command, and the arguments that lead it to the proxy. */
  readonly command: string
  readonly args?: readonly string[]
  /** Variables of its process. */
  readonly env?: Readonly<Record<string, string>>
  /** A file in the home folder, and what it has to have. */
  readonly file?: { readonly path: string; readonly text: string }
  /** What else the policy has to have so that its results are masked. */
  readonly policy?: Partial<MaskPolicy>
  /** Arguments with which it is run once before. */
  readonly setup?: readonly string[]
  /** The format of its sessions. */
  readonly format?: FormatId
}

/** A library, and the code that makes its client. */
export type Library = Client & { readonly code: string }

export const AGENTS = clients.agents as readonly unknown[] as readonly Agent[]

export const LIBRARIES: readonly Library[] = clients.libraries

/** What is set in a client, in order. */
export interface ClientStep {
  readonly kind: 'file' | 'once' | 'run' | 'code'
  /** Of a file in the home folder. */
  readonly path?: string
  /** The name of its language in Markdown. */
  readonly language: string
  readonly text: string
}

export function stepsOf(client: Agent | Library): readonly ClientStep[] {
  if ('code' in client) return [{ kind: 'code', language: 'js', text: client.code }]
  const { command, args = [], env = {}, file, setup } = client
  const exports = Object.entries(env).map(([name, text]) => `export ${name}=${quoted(text)}`)
  const line = (own: readonly string[]) => [command, ...own.map(quoted)].join(' ')
  return [
    ...(file ? [{ kind: 'file', language: file.path.replace(/.*\./, ''), ...file } as const] : []),
    ...(setup ? [{ kind: 'once', language: 'sh', text: line(setup) } as const] : []),
    { kind: 'run', language: 'sh', text: [...exports, line(args)].join('\n') },
  ]
}

export function proxyStart({ target }: Client): string {
  return `npx observation-masking-proxy --target ${target} --config policy.toml`
}

/** The file that has a library's client. */
export const CLIENT_FILE = 'masking-client.mjs'

/**
 * All that a shell runs, to be copied at once: it installs the proxy, writes the policy and what the client needs, and starts
 * both. The proxy of an agent ends with it, which `npx` would not pass on. `address` is that of the package.
 */
export function setupScript(client: Agent | Library, policy: MaskPolicy, address: string): string {
  const toml = writePolicyToml({ ...policy, ...('policy' in client ? client.policy : {}) })
  const lines = [`npm install ${address}`, writeFile('policy.toml', toml.trimEnd())]
  if ('code' in client)
    return [...lines, writeFile(CLIENT_FILE, client.code), proxyStart(client)].join('\n')
  const { file } = client
  const path = `~/${file?.path}`
  // A file of the user stays.
  const folder = path.replace(/\/[^/]*$/, '')
  if (file) lines.push(`mkdir -p ${folder}`, `[ -e ${path} ] || ${writeFile(path, file.text)}`)
  const start = proxyStart(client).replace('npx ', '"$(npm root)"/.bin/')
  const own = stepsOf(client).filter(({ kind }) => kind !== 'file')
  lines.push('(', `${start} > proxy.log 2>&1 &`, "trap 'kill $!' EXIT")
  return [...lines, ...own.map(({ text }) => text), ')'].join('\n')
}

const writeFile = (path: string, text: string) =>
  `cat > ${path} << 'END_OF_FILE'\n${text}\nEND_OF_FILE`

/** An argument as a shell reads it; a variable stays one. */
function quoted(text: string): string {
  if (text.startsWith('$')) return `"${text}"`
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text}'`
}
