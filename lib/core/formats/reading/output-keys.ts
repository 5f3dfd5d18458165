/** Where clients write outputs of tools again: for a screen, in a log, as a value. No model receives them there. */
import { isJsonObject, membersOf } from '../../text/json'

/** A shorter text is too likely to occur elsewhere by chance. */
export const MIN_LENGTH = 12
const LONGEST_ID = 200

/**
 * What a key says of the strings below it. An `output` repeats a result in whole or in part, if that is in the same message
 * or on the same line, or if an object around it names the call. A `command` can be that of a script, which is no call.
 */
export type OutputKind = 'other' | 'output' | 'command'

const OUTPUT_KEY =
  /^(?:toolUseResult|tool_use_result|mcpMeta|data|detailedContent|structured_?content|toolTelemetry|toolResult|metadata|details|responseParts|artifact|extras?|progress|output|contents|result|error)$/i
const COMMAND_KEY =
  /^(?:stdout|stderr|aggregated_output|formatted_output|content_items|observation|raw_output|resultDisplay|resultDetails|terminalCommandOutput|(?:agent_)?statuses|agents_states)$/

export function outputKind(key: string | number, member: unknown, outer: OutputKind): OutputKind {
  if (typeof key === 'number' || outer === 'command') return outer
  if (COMMAND_KEY.test(key)) return 'command'
  const isSentence = key === 'message' && typeof member === 'string'
  return outer === 'output' || isSentence || OUTPUT_KEY.test(key) ? 'output' : 'other'
}

/** The text of a result, under a key of an object that names its call. */
export const RESULT_KEY = /(?:output|contents?|results?|text|error|response)$/i

/** Kinds, and what a model wrote, which telemetry and agents write again. */
const NO_OUTPUT = /^(?:fg|bg|_meta|annotations|function|(?:\w+_)?(?:arguments|args))$/i
const NO_TEXT =
  /^(?:(?:sub)?type|kind|mode|role|status|model|path|file_?(?:path|name)|fullOutputPath|mime_?type|ur[il]|timestamp|command|code)$/i
const ID_KEY = /(?:^|_|uu)ids?$|I[dD]s?$/

/** True for a member that is not searched. */
export function isNoOutput(key: string | number, member: unknown, kind: OutputKind): boolean {
  if (typeof key === 'number') return false
  if (typeof member !== 'string') return NO_OUTPUT.test(key)
  return (
    NO_OUTPUT.test(key) ||
    NO_TEXT.test(key) ||
    ID_KEY.test(key) ||
    (kind === 'other' && key === 'title')
  )
}

const NAME_KEY = /^(?:function|tool)$|name$/i
/** A branch, a folder, an id: what a result prints and everything has. */
const NAME = /^[\w\-./:@~]*$/

export function isNameKey(key: unknown): boolean {
  return NAME_KEY.test(String(key))
}

export function isNamed(text: string, key: unknown): boolean {
  return NAME.test(text) || isNameKey(key)
}

/** A line of a terminal: its pieces, each of one style. */
export function isStyledLine(
  value: unknown,
  kind: OutputKind,
): value is readonly { readonly text: string }[] {
  return (
    kind !== 'other' &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (piece) => isJsonObject(piece) && typeof piece.text === 'string' && !('type' in piece),
    )
  )
}

const DESCRIBED = /^(?:message|raw_?item|tool_call_metadata)$/i
const CALL_KEY = /^tool_?use_?id$|call_?id$/i

/** The id of a call that an object names. */
export function callNamed(value: object, isCall: (id: string) => boolean, isId = ID_KEY) {
  if (Array.isArray(value)) return undefined
  return Object.entries(value)
    .flatMap(([key, id]) => (isId.test(key) ? [id].flat() : []))
    .find((id) => typeof id === 'string' && id.length <= LONGEST_ID && isCall(id))
}

/** The id of the call that the message, the item or the metadata in an object name, if it has an output beside. */
export function callDescribed(value: object, isCall: (id: string) => boolean): string | undefined {
  if (Array.isArray(value)) return undefined
  if (!Object.keys(value).some((key) => OUTPUT_KEY.test(key))) return undefined
  return Object.entries(value)
    .flatMap(([key, member]) =>
      DESCRIBED.test(key) ? [member, membersOf(member).content].flat() : [],
    )
    .map((part) => callNamed(membersOf(part), isCall, CALL_KEY))
    .find((id) => id !== undefined)
}
