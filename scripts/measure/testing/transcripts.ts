/** Transcripts to measure: those in folders, and generated ones of any size. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PUBLISHED = ['corpus', 'more-formats', 'reports'].map((name) => `../shared/${name}`)

/** The folders that were named; without any, those with published transcripts beside the repository. */
export function foldersOf(named: readonly string[] = []): readonly string[] {
  return named.length > 0 ? named : PUBLISHED
}

/** The files of a folder whose names are those of transcripts, at any depth; none if there is no such folder. */
export function* transcriptsIn(folder: string): Generator<{ file: string; text: string }> {
  if (!existsSync(folder)) return
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.(jsonl?|traj)$/.test(file))
      yield { file, text: readFileSync(join(folder, file), 'utf8') }
}

/** A line of source code. */
export const LINE =
  '  const total = items.reduce((sum, item) => sum + item.price * item.count, 0) // ligne 42, été\n'

interface Shape {
  readonly turns: number
  /** The result of a turn; ten lines of source code by default. */
  readonly resultOf?: (turn: number) => string
}

/** Results with a number of lines. */
export const linesOf =
  (lines: number, line = LINE) =>
  (turn: number) =>
    `${turn}\n${line.repeat(lines)}`

export type MadeMessage = ReturnType<typeof makeMessages>[number]

/** Chat-completions messages with one call in each turn. */
export function makeMessages({ turns, resultOf = linesOf(10) }: Shape) {
  const messageOf = (turn: number) => {
    const id = `call_${turn}`
    const called = { name: `tool_${turn % 7}`, arguments: `{"path":"src/file-${turn}.js"}` }
    const tool_calls = [{ id, type: 'function', function: called }]
    const content = `Step ${turn} reads the next file.`
    return [
      { role: 'assistant' as const, content, tool_calls },
      { role: 'tool' as const, tool_call_id: id, content: resultOf(turn) },
    ]
  }
  const question = { role: 'user' as const, content: 'Please get the tests green.' }
  return [question, ...Array.from({ length: turns }, (_, turn) => messageOf(turn)).flat()]
}

export function makeBody(shape: Shape): string {
  return JSON.stringify({ model: 'gpt-5.1', messages: makeMessages(shape) }, null, 2)
}

/** Turns with results of half to one and a half times `chars` characters, from those of the samples; no two are the same. */
export function sampledShape(turns: number, chars: number): Required<Shape> {
  const texts = ['coding-session', 'log-reading'].flatMap((name) => {
    const path = new URL(`../../../public/samples/${name}.json`, import.meta.url)
    const { messages }: { messages: MadeMessage[] } = JSON.parse(readFileSync(path, 'utf8'))
    return messages.flatMap(({ role, content }) => (role === 'tool' && content ? [content] : []))
  })
  let [rest, copies, made] = ['', 0, 0]
  const resultOf = () => {
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
  return { turns, resultOf }
}

export function megabytes(text: string): string {
  return `${(text.length / 1e6).toFixed(1)} MB`
}
