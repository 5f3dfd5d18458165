/** Long bodies of requests: each once held the proxy. */
import { turn } from '../../../lib/core/testing/provider-server'

const write = (messages: readonly object[]) => JSON.stringify({ model: 'gpt-5', messages })
const turns = (count: number, content: string, args?: string) =>
  Array.from({ length: count }, (_, at) => turn(`call_${at}`, content, args)).flat()
/** Old results, which are masked, and a text, whose start makes a session of its own. */
export const withText = (content: string) =>
  write([
    { role: 'user', content: content.slice(0, 80) },
    ...turns(12, 'an old result '.repeat(20)),
    { role: 'user', content },
  ])
/** Characters without the order of a language, the same ones each time. */
function noise(length: number, letters: string): string {
  const codes = Buffer.alloc(length)
  for (let state = 1, at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    codes[at] = letters.charCodeAt(state % letters.length)
  }
  return codes.toString('latin1')
}
const LOWER = 'abcdefghijklmnopqrstuvwxyz'

/** Bodies that once held the proxy. Repairs end by a time limit, so what arrives of theirs is not known before. */
export const BODIES: readonly (readonly [name: string, make: () => string, repair?: boolean])[] = [
  ['8 MB of lower-case letters', () => withText(noise(8e6, LOWER))],
  ['40 MB of lower-case letters', () => withText(noise(4e7, LOWER))],
  ['30 MB, a single word', () => withText('a'.repeat(3e7))],
  ['5 MB of base64', () => withText(noise(5e6, `${LOWER}${LOWER.toUpperCase()}0123456789+/`))],
  ['49 MB of words', () => withText('some words and numbers 12345, '.repeat(1.633e6))],
  ['a million empty messages', () => write(Array(1e6).fill({ role: 'user', content: '' }))],
  ['250,000 calls and their results', () => write(turns(2.5e5, 'ok'))],
  ['40 calls of 400,000 quotation marks', () => write(turns(40, 'ok', '"'.repeat(4e5))), true],
]
