/** Generated transcripts of any size. */
import { readFileSync } from 'node:fs'

/** A line of source code. */
export const LINE =
  '  const total = items.reduce((sum, item) => sum + item.price * item.count, 0) // ligne 42, été\n'

interface Shape {
  readonly turns: number
  /** Number of call ids; they repeat if there are more turns. */
  readonly ids?: number
  /** The result of a turn; ten lines of source code by default. */
  readonly resultOf?: (turn: number) => string
}

export interface ChatMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly type: 'function'
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

/** Results with a number of lines. */
export function linesOf(lines: number, line = LINE): (turn: number) => string {
  return (turn) => `${turn}\n${line.repeat(lines)}`
}

/** Chat-completions messages with one call in each turn. */
export function makeMessages({ turns, ids = turns, resultOf = linesOf(10) }: Shape): ChatMessage[] {
  const messages: ChatMessage[] = [{ role: 'user', content: 'Please get the tests green.' }]
  for (let turn = 0; turn < turns; turn++) {
    const id = `call_${turn % ids}`
    const called = { name: `tool_${turn % 7}`, arguments: `{"path":"src/file-${turn}.js"}` }
    messages.push(
      {
        role: 'assistant',
        content: `Step ${turn} reads the next file.`,
        tool_calls: [{ id, type: 'function', function: called }],
      },
      { role: 'tool', tool_call_id: id, content: resultOf(turn) },
    )
  }
  return messages
}

export function makeBody(shape: Shape): string {
  return JSON.stringify({ model: 'gpt-5.1', messages: makeMessages(shape) }, null, 2)
}

/** Results of half to one and a half times `chars` characters, from those of the samples; no two are the same. */
export function sampledResults(chars: number): () => string {
  const texts = ['coding-session', 'log-reading'].flatMap((name) => {
    const path = new URL(`../../public/samples/${name}.json`, import.meta.url)
    const { messages }: { messages: ChatMessage[] } = JSON.parse(readFileSync(path, 'utf8'))
    return messages.flatMap(({ role, content }) => (role === 'tool' && content ? [content] : []))
  })
  let rest = ''
  let copies = 0
  let made = 0
  return () => {
    const length = Math.round(chars * (0.5 + ((made++ * 7) % 11) / 10))
    while (rest.length < length) {
      const copy = copies++
      const text = texts[copy % texts.length] as string
      rest += `${text.replace(/\d+/g, (digits) => String(Number(digits.slice(-6)) + 37 * copy))}\n`
    }
    const result = rest.slice(0, length)
    rest = rest.slice(length)
    return result
  }
}

/** Turns with results of about this many characters. */
export function sampledShape(turns: number, chars: number): Shape {
  return { turns, resultOf: sampledResults(chars) }
}

export function megabytes(text: string): string {
  return `${(text.length / 1e6).toFixed(1)} MB`
}
