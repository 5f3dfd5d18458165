/** What a client reads to send its requests to the proxy, and the provider that each request is for. */
import type { IncomingMessage } from 'node:http'
import { basename } from 'node:path'
import { AGENTS, type Agent, PROXY, stepsOf } from '../../core/share/exports/agents'
import { targetFrom } from '../proxy/proxy-flags'
import providers from './providers.json' with { type: 'json' }

type Provider = keyof typeof providers

/** In the order in which they are asked; the last one gets what is left. */
export const PROVIDERS = Object.keys(providers) as Provider[]

type Environment = Readonly<Record<string, string | undefined>>

/** The agent that a command starts; undefined for one that is not in the table. */
export function agentOf([command = '']: readonly string[]): Agent | undefined {
  const name = basename(command).replace(/\.(?:cmd|exe|js)$/, '')
  return AGENTS.find((agent) => agent.command === name)
}

/** The command with the arguments of its agent, the variables to start it with, and what else the agent has to have. */
export function startOf(command: readonly string[], url: string, environment: Environment) {
  const agent = agentOf(command)
  const filled = (text: string) =>
    text
      .replaceAll(PROXY, url)
      .replace(/\$([A-Z_]+)/g, (_, name: string) => environment[name] ?? '')
  const common = PROVIDERS.map((name) => [providers[name].variable, url + providers[name].base])
  // What does not say where requests go is the user's, if it is set.
  const own = Object.entries(agent?.env ?? {})
    .filter(([name, text]) => text.includes(PROXY) || environment[name] === undefined)
    .map(([name, text]) => [name, filled(text)])
  const [program = '', ...rest] = command
  const steps = agent === undefined ? [] : stepsOf(agent)
  return {
    program,
    args: [...(agent?.args ?? []).map(filled), ...rest],
    variables: Object.fromEntries([...common, ...own]) as Record<string, string>,
    notes: steps.flatMap(({ kind, path, text }) => {
      if (kind === 'once') return [`${agent?.name} needs this once: ${text.replaceAll(PROXY, url)}`]
      return kind === 'file'
        ? [`${agent?.name} reads ~/${path}:\n${text.replaceAll(PROXY, url)}`]
        : []
    }),
  }
}

/**
 * Returns the provider's address for a request, by the headers of its client and then by its path. A flag goes before the
 * variable of the user, which may name another provider with the same API; the table of clients comes next.
 */
export function createTargets(
  flag: (name: string) => string | undefined,
  environment: Environment,
  agent: Agent | undefined,
) {
  const isOfAgent = (name: Provider) => {
    const api = /anthropic|gemini/.exec(agent?.api.toLowerCase() ?? '')?.[0] ?? 'openai'
    return agent !== undefined && api === name
  }
  const targets = PROVIDERS.map((name) => {
    const { target, variable, paths, headers } = providers[name]
    const given = flag(name)
    const found = given ?? environment[variable] ?? (isOfAgent(name) ? agent?.target : target)
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
