/**
 * Captures of server-sent events, as curl prints them: https://html.spec.whatwg.org/multipage/server-sent-events.html
 * A capture can have several answers, and before each one the response's headers and its request: a JSON body or the cURL
 * command. `streamed-answers` puts the events together. Ignored: `id`, `retry`, comments, and events of other kinds.
 */

import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, parseJson } from '../../text/json'
import { nonBlankLines, textStart } from '../../text/lines'
import type { Offset } from '../../text/span'
import { phrase } from '../../words/words'
import { badLine } from '../reading/open-source'
import { readCurlCommands } from './copied-commands'
import { ANSWER_FAMILIES, type AnswerFamily } from './streamed-answers'

interface Answer {
  readonly family: AnswerFamily
  readonly events: JsonObject[]
  readonly line: number
  /** Text since the answer before it. */
  readonly before: string
  isEnded: boolean
  end: Offset
}

/**
 * Recognises a text as captured events with an answer in them, and returns the answers as the messages of requests; undefined
 * for every other text.
 */
export function readEventStreams(text: string) {
  const start = textStart(text)
  // JSON has no line that starts like this.
  if (!text.startsWith('data:', start) && !text.includes('\ndata:')) return undefined
  const problems: Problem[] = []
  const answers = readAnswers(text, problems)
  if (answers.length === 0) return undefined
  const bodies = bodiesOf(answers)
  for (const [at, { family, events, line, isEnded, end }] of answers.entries()) {
    if (isEnded || family.isComplete(events)) continue
    const values = { answer: at + 1, line, ending: phrase(family.ending) }
    problems.push({ code: 'stream_cut', values, offset: end })
  }
  return {
    count: answers.length,
    /** The APIs that they are from. */
    place: [...new Set(answers.map(({ family }) => family.label))].join(', '),
    /** A request for each one that was captured, with the answers after it; JSON Lines if there are several. */
    body: bodies
      .map(({ body }) => JSON.stringify(body, null, bodies.length === 1 ? 2 : 0))
      .join('\n'),
    hasRequests: bodies.some(({ isRequest }) => isRequest),
    /** Answers that were cut off, errors in place of an answer, events that are not JSON. */
    problems,
  }
}

/** Other fields of events, comments, headers, and what curl prints with `-v`. */
const NO_REQUEST = /^(?:[\w-]*:|HTTP\/|[<>*] )/

function readAnswers(text: string, problems: Problem[]): Answer[] {
  const answers: Answer[] = []
  let before = ''
  /** Lines of one event, whose data is not JSON line by line. */
  let pending: { text: string; start: Offset; line: number } | undefined
  const addEvent = (value: unknown, line: number, start: Offset, end: Offset) => {
    const event = membersOf(value)
    const failure = errorIn(event)
    const last = answers.at(-1)
    const family = ANSWER_FAMILIES.find(({ owns }) => owns(event))
    if (failure !== undefined) {
      problems.push({ code: 'stream_error', values: { line, failure }, offset: start })
      // The error says why the answer ends.
      for (const ended of answers.slice(-1)) ended.isEnded = true
    }
    if (family === undefined) return
    const isNew =
      last === undefined ||
      last.isEnded ||
      last.family !== family ||
      family.begins(event, last.events.at(-1) as JsonObject)
    const answer = isNew ? { family, events: [], line, before, isEnded: false, end } : last
    answer.events.push(event)
    answer.end = end
    if (!isNew) return
    answers.push(answer)
    before = ''
  }
  const endPending = () => {
    if (pending === undefined) return
    const { text: data, start, line } = pending
    const event = valueIn(data)
    if (event === undefined) problems.push(badLine(data, start, line))
    else addEvent(event, line, start, start + data.length)
    pending = undefined
  }
  let numberOfLast = 0
  for (const { start, end, number } of nonBlankLines(text)) {
    const line = text.slice(start, end)
    // A blank line ends an event.
    if (number > numberOfLast + 1) endPending()
    numberOfLast = number
    if (!line.startsWith('data:')) {
      endPending()
      if (!NO_REQUEST.test(line)) before += `${line}\n`
      continue
    }
    // The same length, so that columns are those of the line.
    const data = line.replace('data:', '     ')
    const event = valueIn(data)
    if (data.trim() === '[DONE]') {
      endPending()
      for (const ended of answers.slice(-1)) ended.isEnded = true
    } else if (event !== undefined && pending === undefined) addEvent(event, number, start, end)
    else if (pending !== undefined) pending.text += `\n${data}`
    else pending = { text: data, start, line: number }
  }
  endPending()
  return answers
}

function errorIn({ type, error, response, code, message }: JsonObject): string | undefined {
  const failed = type === 'response.failed' ? membersOf(response).error : error
  const found = type === 'error' && !isJsonObject(error) ? { code, message } : failed
  if (typeof found === 'string') return found
  if (!isJsonObject(found)) return undefined
  const said = [found.type ?? found.status ?? found.code, found.message]
  return said.filter((part) => typeof part === 'string').join(': ') || JSON.stringify(found)
}

/** The answers are appended to the request before them; without one, those of one API are one list. */
function bodiesOf(answers: readonly Answer[]) {
  const bodies: { readonly body: JsonObject; readonly isRequest: boolean }[] = []
  let list: AnswerFamily['list'] | undefined
  let api = ''
  for (const { family, events, before } of answers) {
    const messages = family.assemble(events)
    const request = requestIn(before, family)
    const last = bodies.at(-1)
    const isSame = list === family.list && api === family.label
    if (request === undefined && last !== undefined && isSame) {
      const earlier = itemsOf(last.body[family.list])
      const body = { ...last.body, [family.list]: [...earlier, ...messages] }
      bodies[bodies.length - 1] = { ...last, body }
    } else {
      const sent = request?.[family.list]
      const history = typeof sent === 'string' ? [{ role: 'user', content: sent }] : itemsOf(sent)
      const { model, modelVersion } = messages.at(-1) ?? {}
      const head = { model: model ?? modelVersion, ...request }
      const body = { ...head, [family.list]: [...history, ...messages] }
      bodies.push({ body, isRequest: request !== undefined })
    }
    list = family.list
    api = family.label
  }
  return bodies
}

/** The request in the text before an answer: a cURL command, or a JSON body, alone or on a line. */
function requestIn(before: string, { list }: AnswerFamily): JsonObject | undefined {
  if (before === '') return undefined
  const texts = [before, ...before.split('\n').reverse()]
  for (const text of [...texts, ...(readCurlCommands(before)?.map(({ body }) => body) ?? [])]) {
    const value = valueIn(text)
    if (isJsonObject(value) && value[list] !== undefined) return value
  }
  return undefined
}

/** The object or list of a JSON text. */
function valueIn(text = ''): unknown {
  return /^\s*[{[]/.test(text) ? parseJson(text) : undefined
}
