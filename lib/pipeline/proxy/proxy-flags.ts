import { resolve } from 'node:path'
import { flag, type ParsedFlags, UsageError } from '../../cli/flags'
import { DEFAULT_POLICY } from '../../core/policy/policy'
import { writePolicyToml } from '../../core/share/toml/write-policy-toml'
import { DEFAULT_BODY_LIMIT, DEFAULT_MEMORY_LIMIT } from './create-proxy'
import { DEFAULT_TIMEOUTS } from './forward'

const DEFAULT_PORT = 8787
const DEFAULT_HOST = '127.0.0.1'
/** Shorter than what Docker (10 s) and Kubernetes (30 s) wait before they kill. */
const DEFAULT_GRACE = 8

const seconds = (milliseconds: number) => `; ${milliseconds / 1000} by default`

export const PROXY_FLAGS = [
  flag('target', 'address of the provider, such as https://api.openai.com/v1', 'URL'),
  flag('config', 'TOML with [observation_masking.schema1]; read again when it changes', 'FILE'),
  flag('port', `port to listen on, 0 for a free one; ${DEFAULT_PORT} by default`, 'N'),
  flag('host', `address to listen on; ${DEFAULT_HOST} by default, this machine only`, 'ADDRESS'),
  flag('repair', 'repair malformed arguments of calls, by guesses too, if no data may be missing'),
  flag('repair-loss', 'repair also where data may be missing; such arguments stay otherwise'),
  flag('shadow', 'mask nothing, but report what would be masked'),
  flag('mask-compactions', 'mask requests for a summary too, which are sent whole otherwise'),
  flag('record', 'write request logs that the playground opens; they have the content', 'DIR'),
  flag('body-limit', `most bytes of a request; ${DEFAULT_BODY_LIMIT} by default`, 'BYTES'),
  flag('memory-limit', `most bytes of all requests; ${DEFAULT_MEMORY_LIMIT} by default`, 'BYTES'),
  flag('request-timeout', `seconds for its next piece${seconds(DEFAULT_TIMEOUTS.request)}`, 'S'),
  flag('connect-timeout', `seconds for a connection${seconds(DEFAULT_TIMEOUTS.connect)}`, 'S'),
  flag('answer-timeout', `seconds until an answer begins${seconds(DEFAULT_TIMEOUTS.answer)}`, 'S'),
  flag('idle-timeout', `seconds between two pieces of it${seconds(DEFAULT_TIMEOUTS.idle)}`, 'S'),
  flag('grace', `seconds for requests under way at SIGTERM; ${DEFAULT_GRACE} by default`, 'S'),
  flag('allow', 'hosts and origins of web pages that may use the proxy, with commas', 'NAMES'),
  flag('example', 'print a policy for --config, with all settings of Schema 1'),
  flag('help', 'print this text'),
]

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
  const number = (name: string, unset: number, highest: number, lowest = 1): number => {
    const expected = `a number from ${lowest} to ${highest}`
    const read = flags.number(name, /^\d{1,12}$/, expected) ?? unset
    if (read >= lowest && read <= highest) return read
    throw new UsageError(`--${name} is "${flags.text(name)}"; expected ${expected}.`)
  }
  const time = (name: string, unset: number) => number(name, unset / 1000, 86_400) * 1000
  const record = flags.text('record')
  const bodyLimit = number('body-limit', DEFAULT_BODY_LIMIT, 500_000_000)
  return {
    target: targetFrom(required('target')),
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
function targetFrom(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (/^(?:[^/?#]*\/\/)?[^/?#]*@/.test(text) || url?.username || url?.password)
    throw new UsageError(
      "--target has a user name or a password; expected an address without, since keys are your client's.",
    )
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '') return url
  const told = text.replace(/\?.*/s, '?…')
  throw new UsageError(`--target is "${told}"; expected an http or https address without a query.`)
}
