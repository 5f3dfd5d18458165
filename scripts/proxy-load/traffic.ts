/** Requests of agents and the answers to them, each recognisable by its number, cheap to write and to compare. */
import { readFileSync } from 'node:fs'

const MEGABYTE = 1_000_000
const TURNS = 60
const EVENTS = 64
const NUMBER = '00000000'

export interface Template {
  readonly bytes: Buffer
  /** Where the number stands. */
  readonly places: readonly number[]
}

/** The body of an agent's request: a session of one megabyte whose results differ from agent to agent. */
export function requestTemplate(): Template {
  const prose = readFileSync(new URL('../../docs/decisions.md', import.meta.url), 'utf8')
  const length = Math.floor((MEGABYTE / TURNS) * 0.94)
  const messages = Array.from({ length: TURNS }, (_, turn) => {
    const id = `call_${turn}`
    const text = `${NUMBER} ${turn} ${prose.repeat(3).slice(turn * 150, turn * 150 + length)}`
    const call = { id, type: 'function', function: { name: 'read', arguments: `{"part":${turn}}` } }
    return [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: text },
    ]
  })
  const question = { role: 'user', content: `Agent ${NUMBER}` }
  return templateOf(
    JSON.stringify({ model: 'gpt-5', stream: true, messages: [question, ...messages.flat()] }),
  )
}

/** An answer of one megabyte as a stream of events. */
export function answerTemplate(): Template {
  const filler = 'x'.repeat(MEGABYTE / EVENTS - 60)
  const events = Array.from(
    { length: EVENTS },
    (_, at) => `data: {"request":"${NUMBER}","event":${at},"text":"${filler}"}\n\n`,
  )
  return templateOf(`${events.join('')}data: [DONE]\n\n`)
}

export function withNumber({ bytes, places }: Template, number: number): Buffer {
  const copy = Buffer.from(bytes)
  const digits = String(number).padStart(NUMBER.length, '0')
  for (const place of places) copy.write(digits, place, 'latin1')
  return copy
}

function templateOf(text: string): Template {
  const bytes = Buffer.from(text)
  const places: number[] = []
  for (let at = bytes.indexOf(NUMBER); at >= 0; at = bytes.indexOf(NUMBER, at + 1)) places.push(at)
  return { bytes, places }
}
