/** What a client reads to send its requests to the proxy, and the provider that each request is for. */
import type { IncomingMessage } from 'node:http'
import { basename } from 'node:path'
import agents from '../../core/share/exports/agents.json' with { type: 'json' }
import { targetFrom } from '../proxy/proxy-flags'
import providers from './providers.json' with { type: 'json' }

type Provider = keyof typeof providers

/** In the order in which they are asked; the last one gets what is left. */
export const PROVIDERS = Object.keys(providers) as Provider[]

/** The address that the table of clients has for the proxy. */
const ADDRESS = 'http://127.0.0.1:8787'

type Environment = Readonly<Record<string, string | undefined>>

/** A row of the table of clients: how it learns where to send its requests. */
interface Client {
  readonly name: string
  readonly command: string
  readonly api: string
  readonly target: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly policy?: object
  readonly file?: { readonly path: string; readonly text: string }
  readonly setup?: readonly string[]
}

/** The client that a command starts; undefined for one that is not in the table. */
export function clientOf([command = '']: readonly string[]): Client | undefined {
  const name = basename(command).replace(/\.(?:cmd|exe|js)$/, '')
  return (agents.agents as readonly Client[]).find((client) => client.command === name)
}

/** The command with the arguments of its client, and the variables to start it with. */
export function started(command: readonly string[], url: string, environment: Environment) {
  const client = clientOf(command)
  const fill = (text = '') =>
    text
      .replaceAll(ADDRESS, url)
      .replace(/\$([A-Z_]+)/g, (_, name: string) => environment[name] ?? '')
  const common = PROVIDERS.map((name) => [providers[name].variable, url + providers[name].base])
  // What does not say where requests go is the user's, if it is set.
  const own = Object.entries(client?.env ?? {})
    .filter(([name, text = '']) => text.includes(ADDRESS) || environment[name] === undefined)
    .map(([name, text]) => [name, fill(text)])
  const [program = '', ...rest] = command
  return {
    command: [program, ...(client?.args ?? []).map(fill), ...rest],
    variables: Object.fromEntries([...common, ...own]) as Record<string, string>,
    /** A file that the client reads besides, or a command to run once. */
    file: client?.file && { path: client.file.path, text: fill(client.file.text) },
    setup: client?.setup && [client.command, ...client.setup].map(fill),
  }
}

/**
 * Returns the provider's address for a request, by the headers of its client and then by its path. A flag goes before the
 * variable of the user, which may name another provider with the same API; the table of clients comes next.
 */
export function createTargets(
  flag: (name: string) => string | undefined,
  environment: Environment,
  client: Client | undefined,
) {
  const isOfClient = (name: Provider) => {
    const api = /anthropic|gemini/.exec(client?.api.toLowerCase() ?? '')?.[0] ?? 'openai'
    return client !== undefined && api === name
  }
  const targets = PROVIDERS.map((name) => {
    const { target, variable, paths, headers } = providers[name]
    const given = flag(name)
    const found = given ?? environment[variable] ?? (isOfClient(name) ? client?.target : target)
    const source = given === undefined && environment[variable] !== undefined ? variable : name
    return { name, url: targetFrom(source, found ?? target), paths: new RegExp(paths), headers }
  })
  const targetOf = ({ url = '', headers }: IncomingMessage): URL => {
    const path = url.replace(/[?#].*$/s, '')
    const found =
      targets.find((one) => one.headers.some((name) => headers[name] !== undefined)) ??
      targets.find(({ paths }) => paths.test(path))
    return (found ?? targets[targets.length - 1])?.url as URL
  }
  return { targets, targetOf }
}
