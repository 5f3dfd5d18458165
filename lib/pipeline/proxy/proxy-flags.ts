import { resolve } from 'node:path'
import { type Flag, type ParsedFlags, UsageError } from '../../cli/parse-flags'
import { DEFAULT_BODY_LIMIT, type ProxyOptions } from './create-proxy'
import { DEFAULT_TIMEOUTS, type ProxyTimeouts } from './forward'

export const DEFAULT_PORT = 8787
export const DEFAULT_HOST = '127.0.0.1'

const value = (name: string, shown: string, help: string): Flag => {
  return { name, kind: 'value', shown, help }
}
const seconds = (milliseconds: number) => `; ${milliseconds / 1000} by default`

export const PROXY_FLAGS: readonly Flag[] = [
  value('target', 'URL', 'address of the provider, such as https://api.openai.com/v1'),
  value('config', 'FILE', 'TOML with [observation_masking.schema1]; read again when it changes'),
  value('port', 'N', `port to listen on, 0 for a free one; ${DEFAULT_PORT} by default`),
  value('host', 'ADDRESS', `address to listen on; ${DEFAULT_HOST} by default, this machine only`),
  { name: 'repair', kind: 'switch', help: 'repair malformed arguments of tool calls' },
  { name: 'shadow', kind: 'switch', help: 'mask nothing, but report what would be masked' },
  value('record', 'DIR', 'write request logs that the playground opens; they have the content'),
  value('body-limit', 'BYTES', `most bytes of a request; ${DEFAULT_BODY_LIMIT} by default`),
  value('connect-timeout', 'S', `seconds for a connection${seconds(DEFAULT_TIMEOUTS.connect)}`),
  value('answer-timeout', 'S', `seconds until an answer begins${seconds(DEFAULT_TIMEOUTS.answer)}`),
  value('idle-timeout', 'S', `seconds between two pieces of it${seconds(DEFAULT_TIMEOUTS.idle)}`),
  { name: 'help', kind: 'switch', help: 'print this text' },
]

export interface ProxyArguments
  extends Pick<ProxyOptions, 'target' | 'repair' | 'shadow' | 'bodyLimit'> {
  readonly config: string
  readonly port: number
  readonly host: string
  readonly record: string | undefined
  readonly timeouts: ProxyTimeouts
}

/** Reads the flags of the proxy. Throws a `UsageError` that names the first invalid one. */
export function readProxyFlags(
  { values, positionals }: ParsedFlags,
  folder: string,
): ProxyArguments {
  if (positionals.length > 0) {
    throw new UsageError(`Found ${positionals.join(' ')}; expected flags only, --help lists them.`)
  }
  const text = (name: string): string | undefined => {
    const found = values.get(name)
    return typeof found === 'string' ? found : undefined
  }
  const required = (name: string): string => {
    const found = text(name)
    if (found === undefined) throw new UsageError(`--${name} is missing; --help says more.`)
    return found
  }
  const number = (name: string, unset: number, highest: number, lowest = 1): number => {
    const found = text(name)
    if (found === undefined) return unset
    const read = /^\d{1,12}$/.test(found) ? Number(found) : Number.NaN
    if (read >= lowest && read <= highest) return read
    throw new UsageError(`--${name} is "${found}"; expected a number from ${lowest} to ${highest}.`)
  }
  const time = (name: string, unset: number) => number(name, unset / 1000, 86_400) * 1000
  const record = text('record')
  return {
    target: targetFrom(required('target')),
    config: resolve(folder, required('config')),
    port: number('port', DEFAULT_PORT, 65_535, 0),
    host: text('host') ?? DEFAULT_HOST,
    repair: values.get('repair') === true,
    shadow: values.get('shadow') === true,
    record: record === undefined ? undefined : resolve(folder, record),
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
