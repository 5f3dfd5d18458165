/** A request as a mechanism sends it, as a body of chat completions. */
import type { Steps } from '../steps'
import type { HistoryMessage, SessionHistory } from './history'
import {
  type Mechanism,
  type MessageEdit,
  type MessageEdits,
  NO_EDITS,
  type Settings,
} from './mechanism'
import { CHARS_PER_MESSAGE, mechanismSteps } from './run-mechanism'

/** A request with these edits, as text alone. A summary that a model would write is a text in brackets with its length. */
export function writeRequest(
  { session, messages, ends }: SessionHistory,
  edits: MessageEdits,
  request: number,
): object {
  const { model } = session.conversation
  const written = messages.slice(0, ends[request]).flatMap((message, at) => {
    const edit = edits.get(at)
    return isGone(edit) ? [] : [writeMessage(message, edit)]
  })
  return { ...(model !== undefined && { model }), messages: written }
}

/** True if nothing stands in its place. */
const isGone = (edit: MessageEdit | undefined) => edit?.isRemoved && edit.summary === undefined

function writeMessage({ role, content, calls, callId }: HistoryMessage, edit: MessageEdit = {}) {
  if (edit.summary !== undefined)
    return { role: 'user', content: `[A summary of ${edit.summary.tokens} tokens]` }
  const text = edit.content ?? content
  if (role === 'tool') return { role, tool_call_id: callId, content: text }
  const asked = calls.flatMap(({ id, name, arguments: written }, position) => {
    const now = edit.calls?.[position]
    if (now === null) return []
    return [{ id, type: 'function', function: { name, arguments: now ?? written } }]
  })
  if (asked.length === 0) return { role, content: text }
  return { role, content: text === '' ? null : text, tool_calls: asked }
}

/** A request as it is sent, `before` without the mechanism, and how it differs from the messages as they came. */
export type SentRequest = Readonly<ReturnType<typeof printRequest>>

/** The request that a mechanism sends last, or an earlier one; undefined if none can be seen. Yields as `runMechanismInSteps` does. */
export function* sentRequest(
  history: SessionHistory,
  mechanism: Mechanism,
  settings: Settings,
  request = history.ends.length - 1,
): Steps<SentRequest | undefined> {
  let at = 0
  for (const { edits } of mechanismSteps(history, mechanism, settings)) {
    yield (history.ends[at] as number) * CHARS_PER_MESSAGE
    if (at++ === request) return printRequest(history, edits, request)
  }
  return undefined
}

function printRequest(history: SessionHistory, edits: MessageEdits, request: number) {
  const body = writeRequest(history, edits, request)
  /** Lines of the text, from 1, that a mechanism wrote. */
  const changedLines: number[] = []
  /** After a line, how many messages are left out. */
  const leftOut: { readonly line: number; messages: number }[] = []
  /** By message of the conversation. */
  const messages: ({ isLeftOut: boolean } & Partial<Pick<MessageEdit, 'summary' | 'calls'>>)[] = []
  let line = Object.keys(body).length + 1
  for (const [at, message] of history.messages.slice(0, history.ends[request]).entries()) {
    const edit = edits.get(at)
    const { isRemoved = false, content: _, ...others } = edit ?? {}
    const { isLeftOut = true, ...known } = messages[message.message] ?? {}
    messages[message.message] = { ...known, ...others, isLeftOut: isLeftOut && isRemoved }
    if (!isGone(edit)) {
      const lines = linesOf(message, edit)
      const before = new Set(edit && linesOf(message))
      for (const [index, one] of lines.entries())
        if (edit !== undefined && !before.has(one)) changedLines.push(line + index + 1)
      line += lines.length
    }
    if (!isRemoved) continue
    const run = leftOut.at(-1)
    if (run?.line === line) run.messages++
    else leftOut.push({ line, messages: 1 })
  }
  const [text, before] = [body, writeRequest(history, NO_EDITS, request)].map(
    (one) => `${JSON.stringify(one, null, 2)}\n`,
  ) as [string, string]
  return { text, before, changedLines, leftOut, messages }
}

/** Without the commas behind lines, which depend on what follows. */
function linesOf(message: HistoryMessage, edit?: MessageEdit): readonly string[] {
  return JSON.stringify(writeMessage(message, edit), null, 2)
    .split('\n')
    .map((one) => one.replace(/,$/, ''))
}
