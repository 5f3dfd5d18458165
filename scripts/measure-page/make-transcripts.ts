/** Transcripts of any size, from the texts of the project's samples with other numbers in each copy. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface SampleMessage {
  readonly role: string
  readonly content: string | null
}

const FOLDER = join(import.meta.dirname, '..', '..', 'public', 'samples')
const SAMPLES = ['coding-session', 'log-reading', 'data-analysis']

const RESULTS = SAMPLES.flatMap((name) => {
  const sample = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))
  const messages: readonly SampleMessage[] = Array.isArray(sample) ? sample : sample.messages
  return messages.flatMap(({ role, content }) => (role === 'tool' && content ? [content] : []))
})

/** Results of half to one and a half times `chars` characters, without end; no two are the same. */
function* makeResults(chars: number): Generator<string, never> {
  let rest = ''
  let copies = 0
  for (let at = 0; ; at++) {
    const length = Math.round(chars * (0.5 + ((at * 7) % 11) / 10))
    while (rest.length < length) {
      const copy = copies++
      const text = RESULTS[copy % RESULTS.length] as string
      rest += `${text.replace(/\d+/g, (digits) => String(Number(digits.slice(-6)) + 37 * copy))}\n`
    }
    yield rest.slice(0, length)
    rest = rest.slice(length)
  }
}

function makeMessages(turns: number, results: Generator<string, never>): object[] {
  const messages: object[] = [
    { role: 'system', content: 'Use the tools; reproduce before you fix.' },
    { role: 'user', content: 'Please get the tests green.' },
  ]
  for (let turn = 0; turn < turns; turn++) {
    const id = `call_${turn}`
    const args = JSON.stringify({ path: `src/file-${turn}.js`, line: turn })
    const call = { id, type: 'function', function: { name: `tool_${turn % 7}`, arguments: args } }
    messages.push(
      { role: 'assistant', content: `Step ${turn} reads the next file.`, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: results.next().value },
    )
  }
  return messages
}

/** A request body with indented JSON. */
export function makeBody(turns: number, charsOfResult: number): string {
  const messages = makeMessages(turns, makeResults(charsOfResult))
  return JSON.stringify({ model: 'gpt-5.1', messages }, null, 2)
}

/** An array of messages on one line. */
export function makeArray(turns: number, charsOfResult: number): string {
  return JSON.stringify(makeMessages(turns, makeResults(charsOfResult)))
}

/** JSON Lines with a request body on each line. */
export function makeLines(sessions: number, turns: number, charsOfResult: number): string {
  const results = makeResults(charsOfResult)
  const lines = Array.from({ length: sessions }, () =>
    JSON.stringify({ model: 'gpt-5.1', messages: makeMessages(turns, results) }),
  )
  return `${lines.join('\n')}\n`
}
