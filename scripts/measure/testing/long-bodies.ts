/** Long bodies of requests: each once held the proxy. */
import { turn } from '../../../lib/core/testing/provider-server'

const write = (messages: readonly object[]) => JSON.stringify({ model: 'gpt-5', messages })
const turns = (count: number, content: string) =>
  Array.from({ length: count }, (_, at) => turn(`call_${at}`, content)).flat()
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

export const BODIES: readonly (() => string)[] = [
  () => withText(noise(8e6, LOWER)),
  () => withText(noise(4e7, LOWER)),
  () => withText('a'.repeat(3e7)),
  // Base64.
  () => withText(noise(5e6, `${LOWER}${LOWER.toUpperCase()}0123456789+/`)),
  () => withText('some words and numbers 12345, '.repeat(1.633e6)),
  () => write(Array(1e6).fill({ role: 'user', content: '' })),
  () => write(turns(2.5e5, 'ok')),
]
