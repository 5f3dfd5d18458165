/**
 * One item of the Responses API: https://platform.openai.com/docs/api-reference/responses/create
 *
 * | item | read as |
 * | --- | --- |
 * | `function_call`, `custom_tool_call`, `computer_call`, `local_shell_call`, `shell_call`, `apply_patch_call`, any other `…_call` with a `call_id` | a call that the client answers |
 * | `function_call_output`, `custom_tool_call_output`, `local_shell_call_output`, `apply_patch_call_output`, any other `…_output` with a `call_id` | its result: `output`, a text or parts |
 * | `shell_call_output` | its result: `stdout` and `stderr` of each command |
 * | `computer_call_output` | its result: a screenshot, which is not text |
 * | `mcp_call` | call and result: `output`, or else `error` |
 * | `code_interpreter_call`, `file_search_call` | call and result: the logs in `outputs`, the texts in `results` |
 * | `web_search_call`, `image_generation_call` | call and result without text, which stays with the provider |
 * | `tool_search_call`, `tool_search_output` | call and result; tool definitions are never masked |
 * | `message`, or an object with only a role | its texts |
 * | `reasoning` | the readable reasoning, without `encrypted_content` |
 * | `mcp_list_tools`, `additional_tools` | tool definitions, which are sent and never masked |
 * | `compaction`, `item_reference` | a part whose text is not in the document |
 *
 * These mark a result as an error: `status: "failed"`, `success: false` in an output, the `error` of an `mcp_call`, and
 * exit codes (`response-outputs.ts`).
 * Ignored: ids of items (`fc_…`), any other `status`, `phase`, annotations, approvals of MCP calls.
 */

import { argumentsText } from '../../conversation/chat-message'
import { nonEmptyString, type RawMessage, type RawText } from '../../conversation/link-messages'
import {
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type Unchecked,
} from '../../text/json-object'
import { rawMessage } from '../reading/raw-message'
import type { ReportWrongType } from '../reading/wrong-type-problem'
import {
  hasFailedOutcome,
  isFailedOutput,
  type Output,
  partText,
  type ResponseItem,
  readOutput,
  readTextsUnder,
  reportWrongParts,
} from './response-outputs'

type ItemMember = keyof ResponseItem

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

/** The member with the arguments of a call, where it is not `arguments`. */
const ARGUMENTS_KEY: Readonly<Record<string, ItemMember>> = {
  custom_tool_call: 'input',
  computer_call: 'action',
  local_shell_call: 'action',
  shell_call: 'action',
  apply_patch_call: 'operation',
  web_search_call: 'action',
  code_interpreter_call: 'code',
  file_search_call: 'queries',
}

/** Reads the result in the item of a call that the provider ran itself. */
const HOSTED_RESULT: Readonly<
  Record<string, (item: Unchecked<ResponseItem>) => Output | undefined>
> = {
  mcp_call: ({ output, error }) =>
    (output === null || output === undefined) && typeof error === 'string'
      ? readOutput(error, ['error'])
      : readOutput(output, ['output']),
  code_interpreter_call: ({ outputs }) => readTextsUnder(outputs, ['logs'], ['outputs']),
  file_search_call: ({ results }) => readTextsUnder(results, ['text'], ['results']),
  web_search_call: () => readOutput(undefined, []),
  image_generation_call: ({ result }) => readOutput(result === null ? undefined : {}, []),
}

const HOSTED_KEY: Readonly<Record<string, ItemMember>> = {
  mcp_call: 'output',
  code_interpreter_call: 'outputs',
  file_search_call: 'results',
}

/** True for an item by its type, or a message by its role. */
export function isResponseItem(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const { type, role } = value
  if (type === undefined || type === 'message') return typeof role === 'string'
  return typeof type === 'string' && (isTypedItem(value) || QUIET_TYPES.has(type))
}

/** Calls of the API; they and their outputs are recognised even without a `call_id`. */
const CALL_TYPES = new Set([
  ...['function_call', 'custom_tool_call', 'tool_search_call', 'tool_search'],
  ...Object.keys(ARGUMENTS_KEY),
  ...Object.keys(HOSTED_RESULT),
])

/** True for a call or an output; a type that the API does not have, such as `phone_call`, needs a `call_id`. */
export function isTypedItem({ type, call_id: id }: Unchecked<ResponseItem>): boolean {
  if (typeof type !== 'string' || !/_call$|_output$/.test(type)) return false
  return CALL_TYPES.has(type.replace(/_output$/, '')) || id !== undefined
}

/**
 * Creates a reader for the items of one conversation, in their order; it makes ids for calls that have none. The reader
 * returns undefined for a value that is not an item.
 */
export function createItemReader(): (
  item: unknown,
  report: ReportWrongType,
) => RawMessage | undefined {
  const callIdOfItem = new Map<string, string>()
  const callsOfName = new Map<string, number>()
  let openSearch: string | undefined

  const makeId = (name: string): string => {
    const count = (callsOfName.get(name) ?? 0) + 1
    callsOfName.set(name, count)
    return `${name}-${count}`
  }

  const readCall = (
    item: Unchecked<ResponseItem>,
    type: string,
    report: ReportWrongType,
  ): RawMessage => {
    const bareName = type.replace(/_call$/, '')
    const isNamed = type === 'function_call' || type === 'custom_tool_call' || type === 'mcp_call'
    const name = isNamed ? item.name : (item.name ?? bareName)
    const hosted = HOSTED_RESULT[type]?.(item)
    const isHosted = Object.hasOwn(HOSTED_RESULT, type)
    let id: unknown = item.call_id
    if (isHosted) id = nonEmptyString(item.id) ?? makeId(nonEmptyString(name) ?? bareName)
    else if (type === 'tool_search_call') openSearch = nonEmptyString(id) ?? nonEmptyString(item.id)
    if (type === 'tool_search_call') id = openSearch
    if (typeof item.id === 'string' && typeof id === 'string') callIdOfItem.set(item.id, id)
    reportWrongId(item, report)
    const key = ARGUMENTS_KEY[type] ?? 'arguments'
    const call = { id, name, arguments: argumentsText(item[key]), path: [key] }
    if (isNamed && typeof name !== 'string') report(['name'], name, 'name_of_tool_text')
    if (!isHosted) return rawMessage('assistant', { calls: [call] })
    const resultKey = HOSTED_KEY[type]
    if (hosted === undefined && resultKey !== undefined) {
      const expected = type === 'mcp_call' ? 'text_or_null' : 'list_of_outputs_or_null'
      report([resultKey], item[resultKey], expected)
    }
    const isFlaggedError = item.status === 'failed' || (type === 'mcp_call' && hasValue(item.error))
    const message = rawMessage('assistant', { calls: [call] })
    return withResult(message, id, hosted, isFlaggedError)
  }

  const readResult = (
    item: Unchecked<ResponseItem>,
    type: string,
    report: ReportWrongType,
  ): RawMessage => {
    reportWrongId(item, report)
    if (type === 'tool_search_output') {
      const callId = nonEmptyString(item.call_id) ?? openSearch
      // The provider searches within one answer, the client between two.
      const role = item.execution === 'server' ? 'assistant' : 'tool'
      const message = rawMessage(role, { contents: toolsText(item) })
      return withResult(message, callId, readOutput(undefined, []), false)
    }
    const itemId = nonEmptyString(item.id)
    const callId =
      item.call_id ?? (itemId === undefined ? undefined : (callIdOfItem.get(itemId) ?? itemId))
    const isShell = type === 'shell_call_output' && typeof item.output !== 'string'
    const output = isShell
      ? readTextsUnder(item.output, ['stdout', 'stderr'], ['output'])
      : readOutput(item.output, ['output'])
    if (output === undefined) {
      const expected = isShell ? 'list_of_outputs_of_commands' : 'text_or_list_of_parts'
      report(['output'], item.output, expected)
    } else if (!isShell) {
      reportWrongParts(item.output, ['output'], report)
    }
    const isFlaggedError =
      item.status === 'failed' ||
      (isJsonObject(item.output) && item.output.success === false) ||
      (isShell ? hasFailedOutcome(item.output) : isFailedOutput(output?.texts[0]?.text ?? ''))
    return withResult(rawMessage('tool'), callId, output, isFlaggedError)
  }

  return (item, report) => {
    if (!isResponseItem(item)) return undefined
    const type = typeof item.type === 'string' ? item.type : 'message'
    if (/_output$/.test(type)) return readResult(item, type, report)
    if (/_call$/.test(type)) return readCall(item, type, report)
    return readOther(item, type, report)
  }
}

/** Reads an item that is neither a call nor a result. */
function readOther(
  item: Unchecked<ResponseItem>,
  type: string,
  report: ReportWrongType,
): RawMessage {
  switch (type) {
    case 'reasoning':
      return rawMessage('assistant', {
        reasoning: [...textsIn(item.summary, ['summary']), ...textsIn(item.content, ['content'])],
      })
    case 'mcp_list_tools':
      return rawMessage('assistant', { contents: toolsText(item) })
    case 'mcp_approval_request':
      return rawMessage('assistant')
    case 'item_reference':
      return rawMessage('assistant', { nonTextParts: 1 })
    case 'mcp_approval_response':
    case 'compaction_trigger':
      return rawMessage('user')
    case 'additional_tools':
      return rawMessage('developer', { contents: toolsText(item) })
    case 'message':
      return readMessage(item, item.role as string, report)
    case 'agent_message':
      return readMessage(item, 'user', report)
    default:
      return rawMessage('user', { nonTextParts: 1 })
  }
}

function toolsText({ tools }: Unchecked<ResponseItem>): RawText[] {
  return tools === undefined ? [] : [{ text: JSON.stringify(tools) }]
}

function readMessage(
  { content }: Unchecked<ResponseItem>,
  role: string,
  report: ReportWrongType,
): RawMessage {
  if (typeof content === 'string') return textMessage(role, content, 'content')
  if (Array.isArray(content)) {
    const contents = textsIn(content, ['content'])
    reportWrongParts(content, ['content'], report)
    return rawMessage(role, { contents, nonTextParts: content.length - contents.length })
  }
  if (hasValue(content)) report(['content'], content, 'text_or_list_of_parts')
  return rawMessage(role)
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

/** Reports an id of another type; a document without ids is accepted. */
function reportWrongId({ call_id: id }: Unchecked<ResponseItem>, report: ReportWrongType): void {
  if (hasValue(id) && typeof id !== 'string') report(['call_id'], id, 'id_of_a_call_text')
}

function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined
}

/** Creates a message with one text, at a path of the value it is read from. */
export function textMessage(role: string, text: string, ...path: JsonPath): RawMessage {
  return rawMessage(role, { contents: [{ text, path }] })
}
