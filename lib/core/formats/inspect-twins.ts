/** Where the other parts of an Inspect sample repeat what its tool messages hold. */
import { isJsonObject } from '../conversation/chat-message'
import { usableId } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'

/** A result as other parts can repeat it. */
export interface RepeatedResult {
  readonly callId: unknown
  readonly text: string
}

/** Parts beside `messages` that hold what tools gave; long texts stand once, in `attachments`, and are referred to. */
const PARTS = ['input', 'events', 'events_data', 'attachments', 'store'] as const

/** Keys such texts stand at; a result can be one word, and any other string the same word. */
const TEXT_KEYS = new Set(['content', 'text', 'result', 'output', 'message', 'value', 'data'])

/** A shorter text is a repeat only where the call is named beside it. */
const MIN_LENGTH = 12

/** The paths below the sample of the strings that equal a result, by index of the result. */
export function twinsInSample(
  sample: Readonly<Record<string, unknown>>,
  results: readonly RepeatedResult[],
): ReadonlyMap<number, readonly JsonPath[]> {
  const twins = new Map<number, JsonPath[]>()
  const ofText = new Map<string, number>()
  const ofCall = new Map<string, number>()
  for (const [index, { callId, text }] of results.entries()) {
    // Of equal results the last: it is masked only when all of them are old.
    if (text.length >= MIN_LENGTH) ofText.set(text, index)
    const id = usableId(callId)
    if (id !== undefined && text !== '') ofCall.set(JSON.stringify([id, text]), index)
  }
  const add = (text: string, callId: string | undefined, path: JsonPath): void => {
    const named = callId === undefined ? undefined : ofCall.get(JSON.stringify([callId, text]))
    const index = named ?? ofText.get(text)
    if (index === undefined) return
    const known = twins.get(index)
    if (known === undefined) twins.set(index, [path])
    else known.push(path)
  }
  const visit = (value: unknown, callId: string | undefined, path: JsonPath): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, callId, [...path, index])
    } else if (isJsonObject(value)) {
      const named = callNamedBy(value) ?? callId
      const isAttachments = path.length === 1 && path[0] === 'attachments'
      for (const [key, member] of Object.entries(value)) {
        const at = [...path, key]
        if (typeof member !== 'string') visit(member, named, at)
        else if (isAttachments || TEXT_KEYS.has(key)) add(member, named, at)
      }
    }
  }
  for (const part of PARTS) visit(sample[part], undefined, [part])
  return twins
}

/** The call an event, a message or an item of a request is about. */
function callNamedBy({ event, id, tool_call_id, call_id }: Readonly<Record<string, unknown>>) {
  return usableId(event === 'tool' ? id : (tool_call_id ?? call_id))
}
