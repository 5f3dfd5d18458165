import { addToGroup } from '../../conversation/add-to-group'
import { nonEmptyString } from '../../conversation/link-messages'
import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonPath,
  membersOf,
} from '../../text/json-object'
import type { MessagePiece, SourcePath } from '../reading/build-conversation'
import { memberText } from '../reading/raw-message'
import type { SourceValue } from '../reading/source-document'

/** The parts of a result that other members of a sample can repeat. */
interface ResultText {
  readonly callId: unknown
  readonly text: string
}

/** Members of a sample that repeat results; `attachments` contains long texts, which others refer to. */
const SEARCHED_MEMBERS = ['input', 'events', 'events_data', 'attachments', 'store'] as const

/** Keys of texts; a result can be a single word, which other strings may contain for other reasons. */
const TEXT_KEYS = new Set(['content', 'text', 'result', 'output', 'message', 'value', 'data'])

/** A shorter text is a duplicate only if the object names its call. */
const MIN_LENGTH = 12

/** Adds duplicates to the messages of a sample: the content beside an error, and strings of other members. */
export function withDuplicates(
  pieces: readonly MessagePiece[],
  source: SourceValue,
  path: JsonPath,
  sample: JsonObject,
): MessagePiece[] {
  const results = pieces.map(({ raw: { results } }) => ({
    callId: results[0]?.callId,
    text: (results[0]?.texts ?? []).flatMap(({ text }) => text || []).join('\n'),
  }))
  const duplicates = findDuplicates(sample, results)
  return pieces.map((piece, index) => {
    const found = (duplicates.get(index) ?? []).map((at) => ({ source, path: [...path, ...at] }))
    const all = [...contentBesideError(piece, sample, path), ...found]
    return all.length === 0 ? piece : { ...piece, duplicates: [all] }
  })
}

/** Locates the content of a result whose text is the message of its error. */
function contentBesideError(
  { raw, source, path }: MessagePiece,
  { messages }: JsonObject,
  samplePath: JsonPath,
): SourcePath[] {
  const [text] = raw.results[0]?.texts ?? []
  if (text?.path?.[0] !== 'error') return []
  const index = path[samplePath.length + 1] as number
  const message = membersOf(itemsOf(messages)[index])
  return memberText(message, 'content').length > 0 ? [{ source, path: [...path, 'content'] }] : []
}

/** Finds the strings of a sample that equal a result: their paths in the sample, by index of the result. */
function findDuplicates(
  sample: JsonObject,
  results: readonly ResultText[],
): ReadonlyMap<number, readonly JsonPath[]> {
  const duplicates = new Map<number, JsonPath[]>()
  const indexByText = new Map<string, number>()
  const indexByCall = new Map<string, number>()
  for (const [index, { callId, text }] of results.entries()) {
    // The last of several equal results owns the duplicates: it is masked only when all of them are old.
    if (text.length >= MIN_LENGTH) indexByText.set(text, index)
    const id = nonEmptyString(callId)
    if (id !== undefined && text !== '') indexByCall.set(JSON.stringify([id, text]), index)
  }
  const add = (text: string, callId: string | undefined, path: JsonPath): void => {
    const ofCall =
      callId === undefined ? undefined : indexByCall.get(JSON.stringify([callId, text]))
    const index = ofCall ?? indexByText.get(text)
    if (index !== undefined) addToGroup(duplicates, index, path)
  }
  const visit = (value: unknown, outerId: string | undefined, path: JsonPath): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, outerId, [...path, index])
    } else if (isJsonObject(value)) {
      const callId = calledId(value) ?? outerId
      const isAttachments = path.length === 1 && path[0] === 'attachments'
      for (const [key, member] of Object.entries(value)) {
        const at = [...path, key]
        if (typeof member !== 'string') visit(member, callId, at)
        else if (isAttachments || TEXT_KEYS.has(key)) add(member, callId, at)
      }
    }
  }
  for (const member of SEARCHED_MEMBERS) visit(sample[member], undefined, [member])
  return duplicates
}

/** The id of the call that an event, a message or an item of a request is about. */
function calledId({ event, id, tool_call_id, call_id }: JsonObject): string | undefined {
  return nonEmptyString(event === 'tool' ? id : (tool_call_id ?? call_id))
}
