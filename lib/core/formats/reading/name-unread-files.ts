import { ReadError } from '../../problem'
import { isJsonObject, itemsOf, membersOf } from '../../text/json-object'
import type { ProblemCode } from '../../words/words'
import type { SourceDocument } from './source-document'

/** Files that no format reads, of which it is known what they are: the sentence says how to get a readable form. */
const KNOWN: readonly (readonly [ProblemCode, (value: unknown) => boolean])[] = [
  // Cursor writes what was said; of a call it keeps the name and the input.
  ['cursor_transcript', (value) => isCursorCall(membersOf(value))],
  // Each part of an answer is an event of its own; `context.jsonl` beside it has the messages.
  ['kimi_cli_wire', (value) => isKimiEvent(membersOf(value))],
  // The chat is what all changes together make: `{ kind: 0, v }` is its start, the others change the value at `k`.
  ['vscode_chat_changes', (value) => isChatStart(membersOf(value))],
]

/** Returns the error for a document whose kind is known; undefined for any other. */
export function nameUnreadFile({ layout, values }: SourceDocument): ReadError | undefined {
  if (layout !== 'jsonl') return undefined
  const found = KNOWN.find(([, isKind]) => values.some(({ value }) => isKind(value)))
  return found && new ReadError(found[0], { lines: values.length }, 0)
}

function isCursorCall({ role, message }: Readonly<Record<string, unknown>>): boolean {
  return (
    role === 'assistant' &&
    itemsOf(membersOf(message).content).some(
      (part) => isJsonObject(part) && part.type === 'tool_use' && part.id === undefined,
    )
  )
}

function isKimiEvent({ timestamp, message }: Readonly<Record<string, unknown>>): boolean {
  const { type, payload } = membersOf(message)
  return (
    typeof timestamp === 'number' &&
    isJsonObject(payload) &&
    /^(?:TurnBegin|StepBegin|ContentPart|ToolCall|ToolResult|StatusUpdate)$/.test(String(type))
  )
}

function isChatStart({ kind, v }: Readonly<Record<string, unknown>>): boolean {
  return kind === 0 && Array.isArray(membersOf(v).requests)
}
