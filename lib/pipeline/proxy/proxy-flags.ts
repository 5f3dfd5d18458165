import { resolve } from 'node:path'
import { flag, type ParsedFlags, UsageError } from '../../cli/parse-flags'
import { DEFAULT_POLICY } from '../../core/policy/policy'
import { writePolicyToml } from '../../core/share/toml/write-policy-toml'
import { DEFAULT_BODY_LIMIT } from './create-proxy'
import { DEFAULT_TIMEOUTS } from './forward'

const DEFAULT_PORT = 8787
const DEFAULT_HOST = '127.0.0.1'

const seconds = (milliseconds: number) => `; ${milliseconds / 1000} by default`

export const PROXY_FLAGS = [
  flag('target', 'address of the provider, such as https://api.openai.com/v1', 'URL'),
  flag('config', 'TOML with [observation_masking.schema1]; read again when it changes', 'FILE'),
  flag('port', `port to listen on, 0 for a free one; ${DEFAULT_PORT} by default`, 'N'),
  flag('host', `address to listen on; ${DEFAULT_HOST} by default, this machine only`, 'ADDRESS'),
  flag('repair', 'repair malformed arguments of tool calls'),
  flag('shadow', 'mask nothing, but report what would be masked'),
  flag('mask-compactions', 'mask requests for a summary too, which are sent whole otherwise'),
  flag('record', 'write request logs that the playground opens; they have the content', 'DIR'),
  flag('body-limit', `most bytes of a request; ${DEFAULT_BODY_LIMIT} by default`, 'BYTES'),
  flag('connect-timeout', `seconds for a connection${seconds(DEFAULT_TIMEOUTS.connect)}`, 'S'),
  flag('answer-timeout', `seconds until an answer begins${seconds(DEFAULT_TIMEOUTS.answer)}`, 'S'),
  flag('idle-timeout', `seconds between two pieces of it${seconds(DEFAULT_TIMEOUTS.idle)}`, 'S'),
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
  return {
    target: targetFrom(required('target')),
    config: resolve(folder, required('config')),
    port: number('port', DEFAULT_PORT, 65_535, 0),
    host: flags.text('host') ?? DEFAULT_HOST,
    repair: flags.isOn('repair'),
    shadow: flags.isOn('shadow'),
    maskCompactions: flags.isOn('mask-compactions'),
    ...(record !== undefined && { record: resolve(folder, record) }),
    bodyLimit: number('body-limit', DEFAULT_BODY_LIMIT, 500_000_000),
    timeouts: {
      connect: time('connect-timeout', DEFAULT_TIMEOUTS.connect),
      answer: time('answer-timeout', DEFAULT_TIMEOUTS.answer),
      idle: time('idle-timeout', DEFAULT_TIMEOUTS.idle),
    },
  }
}

function targetFrom(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '') return url
  throw new UsageError(`--target is "${text}"; expected an http or https address without a query.`)
}
