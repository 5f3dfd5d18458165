import { resolve } from 'node:path'
import { flagsOf, type ParsedFlags, UsageError } from '../../cli/flags'
import { DEFAULT_POLICY } from '../../core/policy/policy'
import { writePolicyToml } from '../../core/share/toml/policy-toml'
import { DEFAULT_BODY_LIMIT, DEFAULT_MEMORY_LIMIT } from './create-proxy'
import { DEFAULT_TIMEOUTS } from './forward'
import texts from './texts.json' with { type: 'json' }

const DEFAULT_PORT = 8787
const DEFAULT_HOST = '127.0.0.1'
/** Shorter than what Docker (10 s) and Kubernetes (30 s) wait before they kill. */
const DEFAULT_GRACE = 8

const seconds = Object.entries(DEFAULT_TIMEOUTS).map(([name, time]) => [name, time / 1000])

export const PROXY_FLAGS = flagsOf(texts.flags, {
  ...{ port: DEFAULT_PORT, host: DEFAULT_HOST, grace: DEFAULT_GRACE },
  ...{ body: DEFAULT_BODY_LIMIT, memory: DEFAULT_MEMORY_LIMIT },
  ...Object.fromEntries(seconds),
})

/** What `--example` prints. */
export const exampleConfig = () => writePolicyToml({ ...DEFAULT_POLICY, enabled: true }, true)

/** Reads the flags of the proxy. Throws a `UsageError` that names the first invalid one. */
export function readProxyFlags(flags: ParsedFlags, folder: string) {
  if (flags.positionals.length > 0) {
    const found = flags.positionals.join(' ')
    throw new UsageError(`Found ${found}; expected flags only, --help lists them.`)
  }
  const required = (name: string): string => {
    const found = flags.text(name)
    if (found === undefined) throw new UsageError(`--${name} is missing; --help says more.`)
    return found
  }
  const number = (name: string, unset: number, highest: number, lowest = 1): number =>
    flags.within(name, lowest, highest) ?? unset
  const time = (name: string, unset: number) => number(name, unset / 1000, 86_400) * 1000
  const record = flags.text('record')
  const bodyLimit = number('body-limit', DEFAULT_BODY_LIMIT, 500_000_000)
  return {
    target: targetFrom('target', required('target')),
    config: resolve(folder, required('config')),
    port: number('port', DEFAULT_PORT, 65_535, 0),
    host: flags.text('host') ?? DEFAULT_HOST,
    repair: flags.isOn('repair') || flags.isOn('repair-loss'),
    repairLoss: flags.isOn('repair-loss'),
    shadow: flags.isOn('shadow'),
    maskCompactions: flags.isOn('mask-compactions'),
    ...(record !== undefined && { record: resolve(folder, record) }),
    bodyLimit,
    memoryLimit: number('memory-limit', DEFAULT_MEMORY_LIMIT, 100_000_000_000, bodyLimit),
    allow: (flags.text('allow') ?? '').split(',').filter((name) => name !== ''),
    grace: number('grace', DEFAULT_GRACE, 86_400, 0) * 1000,
    timeouts: {
      request: time('request-timeout', DEFAULT_TIMEOUTS.request),
      connect: time('connect-timeout', DEFAULT_TIMEOUTS.connect),
      answer: time('answer-timeout', DEFAULT_TIMEOUTS.answer),
      idle: time('idle-timeout', DEFAULT_TIMEOUTS.idle),
    },
  }
}

/** Neither a password nor a query is repeated: what is said of an address is kept in logs. */
export function targetFrom(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (/^(?:[^/?#]*\/\/)?[^/?#]*@/.test(text) || url?.username || url?.password)
    throw new UsageError(
      `--${name} has a user name or a password; expected an address without, since keys are your client's.`,
    )
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '') return url
  const told = text.replace(/\?.*/s, '?…')
  throw new UsageError(`--${name} is "${told}"; expected an http or https address without a query.`)
}
