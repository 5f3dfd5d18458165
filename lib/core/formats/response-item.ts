/**
 * One item of the Responses API: https://platform.openai.com/docs/api-reference/responses/create
 *
 * | item | what it is |
 * | --- | --- |
 * | `function_call`, `custom_tool_call`, `computer_call`, `local_shell_call`, `shell_call`, `apply_patch_call`, and any other `…_call` with a `call_id` | a call; the client answers it |
 * | `function_call_output`, `custom_tool_call_output`, `local_shell_call_output`, `apply_patch_call_output`, any other `…_output` with a `call_id` | its result: `output`, a text or parts |
 * | `shell_call_output` | its result: `stdout` and `stderr` of each command |
 * | `computer_call_output` | its result: a screenshot, no text |
 * | `mcp_call` | call and result in one: `output`, else `error` |
 * | `code_interpreter_call`, `file_search_call` | call and result in one: the logs in `outputs`, the texts in `results` |
 * | `web_search_call`, `image_generation_call` | call and result in one, without text: what was found stays with the provider |
 * | `tool_search_call`, `tool_search_output` | call and result; definitions of tools are no text, as they must stay what they are |
 * | `message`, or an object with only a role | its texts |
 * | `reasoning` | what the model thought, where it is readable; `encrypted_content` stays |
 * | `mcp_list_tools`, `additional_tools` | definitions of tools, sent and kept |
 * | `compaction`, `item_reference` | sent, but their text is not here |
 *
 * An error is flagged by `status: "failed"`, by `success: false` in an output, by an `mcp_call`'s `error`, and by exit codes:
 * see `failed-outputs.ts`.
 * Ignored: ids of items (`fc_…`), any other `status`, `phase`, annotations, approvals of MCP calls.
 */
import { argumentsText, isJsonObject } from '../conversation/chat-message'
import { type RawMessage, type RawText, usableId } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import { hasFailedOutcome, saysItFailed } from './failed-outputs'
import {
  type Output,
  partText,
  readOutput,
  readTextsUnder,
  type WrongValue,
  wrongParts,
} from './response-outputs'

type JsonObject = Readonly<Record<string, unknown>>

export interface ReadItem {
  readonly raw: RawMessage
  /** Values of a wrong type in it; the path goes on from the item. */
  readonly wrong: readonly WrongValue[]
}

const QUIET_TYPES = new Set([
  'reasoning',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'additional_tools',
  'agent_message',
  'compaction',
  'compaction_summary',
  'compaction_trigger',
  'context_compaction',
  'item_reference',
])

/** Where the arguments of calls stand that are no `arguments`. */
const ARGUMENTS_KEY: Readonly<Record<string, string>> = {
  custom_tool_call: 'input',
  computer_call: 'action',
  local_shell_call: 'action',
  shell_call: 'action',
  apply_patch_call: 'operation',
  web_search_call: 'action',
  code_interpreter_call: 'code',
  file_search_call: 'queries',
}

/** What stands in the item of a call that the provider answered itself. */
const HOSTED_RESULT: Readonly<Record<string, (item: JsonObject) => Output | undefined>> = {
  mcp_call: ({ output, error }) =>
    (output === null || output === undefined) && typeof error === 'string'
      ? readOutput(error, ['error'])
      : readOutput(output, ['output']),
  code_interpreter_call: ({ outputs }) => readTextsUnder(outputs, ['logs'], ['outputs']),
  file_search_call: ({ results }) => readTextsUnder(results, ['text'], ['results']),
  web_search_call: () => readOutput(undefined, []),
  image_generation_call: ({ result }) => readOutput(result === null ? undefined : {}, []),
}

const HOSTED_KEY: Readonly<Record<string, string>> = {
  mcp_call: 'output',
  code_interpreter_call: 'outputs',
  file_search_call: 'results',
}

/** Whether a value is an item, by its type, or a message by its role. */
export function isResponseItem(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const { type, role } = value
  if (type === undefined || type === 'message') return typeof role === 'string'
  return typeof type === 'string' && (isTypedItem(value) || QUIET_TYPES.has(type))
}

/** Calls that the API names; they and their outputs are told without a `call_id` too. */
const CALL_TYPES = new Set([
  ...['function_call', 'custom_tool_call', 'tool_search_call', 'tool_search'],
  ...Object.keys(ARGUMENTS_KEY),
  ...Object.keys(HOSTED_RESULT),
])

/** Whether an item is a call or an output of one; a word of anybody's, such as `phone_call`, is one by its `call_id`. */
export function isTypedItem({ type, call_id: id }: JsonObject): boolean {
  if (typeof type !== 'string' || !/_call$|_output$/.test(type)) return false
  return CALL_TYPES.has(type.replace(/_output$/, '')) || id !== undefined
}

/** A reader of items in their order: ids that are absent are made of what stood before. */
export function openItems(): (item: unknown) => ReadItem | undefined {
  const callIdOfItem = new Map<string, string>()
  const callsOfName = new Map<string, number>()
  let openSearch: string | undefined

  const standIn = (name: string): string => {
    const count = (callsOfName.get(name) ?? 0) + 1
    callsOfName.set(name, count)
    return `${name}-${count}`
  }

  const readCall = (item: JsonObject, type: string): ReadItem => {
    const bareName = type.replace(/_call$/, '')
    const isNamed = type === 'function_call' || type === 'custom_tool_call' || type === 'mcp_call'
    const name = isNamed ? item.name : (item.name ?? bareName)
    const hosted = HOSTED_RESULT[type]?.(item)
    const isHosted = Object.hasOwn(HOSTED_RESULT, type)
    const wrong: WrongValue[] = []
    let id: unknown = item.call_id
    if (isHosted) id = usableId(item.id) ?? standIn(usableId(name) ?? bareName)
    else if (type === 'tool_search_call') openSearch = usableId(id) ?? usableId(item.id)
    if (type === 'tool_search_call') id = openSearch
    if (typeof item.id === 'string' && typeof id === 'string') callIdOfItem.set(item.id, id)
    checkId(item, 'call_id', wrong)
    const key = ARGUMENTS_KEY[type] ?? 'arguments'
    const call = { id, name, arguments: argumentsText(item[key]), path: [key] }
    if (isNamed && typeof name !== 'string') {
      wrong.push({ path: ['name'], value: name, expected: 'the name of the tool, a text' })
    }
    if (!isHosted) return { raw: { ...answer(), calls: [call] }, wrong }
    const resultKey = HOSTED_KEY[type]
    if (hosted === undefined && resultKey !== undefined) {
      const expected =
        type === 'mcp_call' ? 'a text or null' : 'a list of objects with the output, or null'
      wrong.push({ path: [resultKey], value: item[resultKey], expected })
    }
    const isFlaggedError = item.status === 'failed' || (type === 'mcp_call' && hasValue(item.error))
    const piece = withResult(answer(), id, hosted, isFlaggedError)
    return { raw: { ...piece, calls: [call] }, wrong }
  }

  const readResult = (item: JsonObject, type: string): ReadItem => {
    const wrong: WrongValue[] = []
    checkId(item, 'call_id', wrong)
    if (type === 'tool_search_output') {
      const callId = usableId(item.call_id) ?? openSearch
      // Found by the provider within one answer, or by the client between two.
      const isOwn = item.execution === 'server'
      const frame = item.tools === undefined ? [] : [{ text: JSON.stringify(item.tools) }]
      const message = { ...(isOwn ? answer() : input('tool')), contents: frame }
      return { raw: withResult(message, callId, readOutput(undefined, []), false), wrong }
    }
    const held = usableId(item.id)
    const callId =
      item.call_id ?? (held === undefined ? undefined : (callIdOfItem.get(held) ?? held))
    const isShell = type === 'shell_call_output' && typeof item.output !== 'string'
    const output = isShell
      ? readTextsUnder(item.output, ['stdout', 'stderr'], ['output'])
      : readOutput(item.output, ['output'])
    if (output === undefined) {
      const expected = isShell ? 'a list of outputs of commands' : 'a text or a list of parts'
      wrong.push({ path: ['output'], value: item.output, expected })
    } else if (!isShell) {
      wrong.push(...wrongParts(item.output, ['output']))
    }
    const isFlaggedError =
      item.status === 'failed' ||
      (isJsonObject(item.output) && item.output.success === false) ||
      (isShell ? hasFailedOutcome(item.output) : saysItFailed(output?.texts[0]?.text ?? ''))
    return { raw: withResult(input('tool'), callId, output, isFlaggedError), wrong }
  }

  return (item) => {
    if (!isResponseItem(item)) return undefined
    const type = typeof item.type === 'string' ? item.type : 'message'
    if (/_output$/.test(type)) return readResult(item, type)
    if (/_call$/.test(type)) return readCall(item, type)
    return readQuiet(item, type)
  }
}

function readQuiet(item: JsonObject, type: string): ReadItem {
  const tools = item.tools === undefined ? [] : [{ text: JSON.stringify(item.tools) }]
  switch (type) {
    case 'reasoning':
      return {
        raw: {
          ...answer(),
          reasoning: [...textsIn(item.summary, ['summary']), ...textsIn(item.content, ['content'])],
        },
        wrong: [],
      }
    case 'mcp_list_tools':
      return { raw: { ...answer(), contents: tools }, wrong: [] }
    case 'mcp_approval_request':
      return { raw: answer(), wrong: [] }
    case 'item_reference':
      return { raw: { ...answer(), nonTextParts: 1 }, wrong: [] }
    case 'mcp_approval_response':
    case 'compaction_trigger':
      return { raw: input('user'), wrong: [] }
    case 'additional_tools':
      return { raw: { ...input('developer'), contents: tools }, wrong: [] }
    case 'message':
      return readMessage(item, item.role as string)
    case 'agent_message':
      return readMessage(item, 'user')
    default:
      return { raw: { ...input('user'), nonTextParts: 1 }, wrong: [] }
  }
}

function readMessage(item: JsonObject, role: string): ReadItem {
  const { content } = item
  const message = role === 'assistant' ? answer() : input(role)
  if (typeof content === 'string') {
    return { raw: { ...message, contents: [{ text: content, path: ['content'] }] }, wrong: [] }
  }
  if (Array.isArray(content)) {
    const contents = textsIn(content, ['content'])
    return {
      raw: { ...message, contents, nonTextParts: content.length - contents.length },
      wrong: wrongParts(content, ['content']),
    }
  }
  if (content === null || content === undefined) return { raw: message, wrong: [] }
  const wrong = { path: ['content'], value: content, expected: 'a text or a list of parts' }
  return { raw: message, wrong: [wrong] }
}

function textsIn(parts: unknown, path: JsonPath): RawText[] {
  if (!Array.isArray(parts)) return []
  return parts.flatMap((part: unknown, index) => {
    const text = partText(part)
    if (text !== undefined) return [{ text, path: [...path, index, 'text'] }]
    const isRefusal = isJsonObject(part) && typeof part.refusal === 'string'
    return isRefusal ? [{ text: part.refusal as string, path: [...path, index, 'refusal'] }] : []
  })
}

function withResult(
  message: RawMessage,
  callId: unknown,
  output: Output | undefined,
  isFlaggedError: boolean,
): RawMessage {
  return {
    ...message,
    contents: [...message.contents, ...(output?.contents ?? [])],
    nonTextParts: output?.nonTextParts ?? 1,
    results: [
      { callId, shape: output?.shape ?? 'other', texts: output?.texts ?? [], isFlaggedError },
    ],
  }
}

/** An id of another type is said; an absent one is no mistake of the document's making. */
function checkId(item: JsonObject, key: string, wrong: WrongValue[]): void {
  const value = item[key]
  if (hasValue(value) && typeof value !== 'string') {
    wrong.push({ path: [key], value, expected: 'the id of a call, a text' })
  }
}

function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined
}

/** A message of one text, which stands at a path of its value. */
export function textMessage(role: string, text: string, ...path: JsonPath): RawMessage {
  return { ...input(role), contents: [{ text, path }] }
}

function answer(): RawMessage {
  return { ...input('assistant'), isAssistant: true }
}

function input(role: string): RawMessage {
  return {
    role,
    isAssistant: false,
    name: undefined,
    contents: [],
    reasoning: [],
    nonTextParts: 0,
    calls: [],
    results: [],
  }
}
