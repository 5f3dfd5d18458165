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
import { isJsonObject, itemsOf, type JsonObject, membersOf, ownMember } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { memberOf } from '../gemini/gemini-parts'
import { createCallIds } from '../reading/create-call-ids'
import { MessageBody, mapPaths, memberText, rawMessage } from '../reading/raw-message'
import type { ReportWrongType } from '../reading/report'
import types from './item-types.json' with { type: 'json' }
import {
  hasFailedOutcome,
  isFailedOutput,
  type Output,
  readOutput,
  readTextsUnder,
  reportWrongParts,
} from './response-outputs'

/** Calls of the API, by the members with their arguments and result; recognised, as their outputs, without a `call_id`. */
const CALLS: Readonly<Record<string, { readonly arguments: string; readonly result?: string }>> =
  types.calls

/** Items that are neither a call nor a result; one that is empty has nothing that a model reads. */
const OTHERS: Readonly<Record<string, { readonly role: string; readonly isEmpty?: boolean }>> =
  types.others

/** Reads the result in the item of a call that the provider ran itself. */
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

/** True for an item by its type, or a message by its role. */
export function isResponseItem(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const { type, role } = value
  if (type === undefined || type === 'message') return typeof role === 'string'
  return typeof type === 'string' && (isTypedItem(value) || Object.hasOwn(OTHERS, type))
}

/** True for a call or an output; a type that the API does not have, such as `phone_call`, needs a `call_id`. */
export function isTypedItem({ type, call_id: id }: JsonObject): boolean {
  if (typeof type !== 'string' || !/_call$|_output$/.test(type)) return false
  return Object.hasOwn(CALLS, type.replace(/_output$/, '')) || id !== undefined
}

/**
 * Creates a reader for the items of one conversation, in their order; it makes ids for calls that have none. The reader
 * returns undefined for a value that is not an item.
 */
export function createItemReader() {
  const callIdOfItem = new Map<string, string>()
  const ids = createCallIds()
  let openSearch: string | undefined

  const readCall = (body: MessageBody, item: JsonObject, type: string): RawMessage => {
    const bareName = type.replace(/_call$/, '')
    const isNamed = type === 'function_call' || type === 'custom_tool_call' || type === 'mcp_call'
    const name = isNamed ? item.name : (item.name ?? bareName)
    const isHosted = Object.hasOwn(HOSTED_RESULT, type)
    let id: unknown = item.call_id
    if (isHosted) id = ids.idOfCall(item.id, nonEmptyString(name) ?? bareName)
    else if (type === 'tool_search_call') {
      openSearch = nonEmptyString(id) ?? nonEmptyString(item.id)
      id = openSearch
    }
    if (typeof item.id === 'string' && typeof id === 'string') callIdOfItem.set(item.id, id)
    reportWrongId(body, item)
    const { arguments: key = 'arguments', result: resultKey } = CALLS[type] ?? {}
    body.calls.push({ id, name, arguments: argumentsText(item[key]), path: [key] })
    if (isNamed && typeof name !== 'string') body.report(['name'], name, 'name_of_tool_text')
    if (!isHosted) return rawMessage('assistant', body)
    const hosted = HOSTED_RESULT[type]?.(item)
    if (hosted === undefined && resultKey !== undefined) {
      const expected = type === 'mcp_call' ? 'text_or_null' : 'list_of_outputs_or_null'
      body.report([resultKey], item[resultKey], expected)
    }
    const hasError = type === 'mcp_call' && hasValue(item.error)
    addOutput(body, id, hosted, item.status === 'failed' || hasError)
    return rawMessage('assistant', body)
  }

  const readResult = (body: MessageBody, item: JsonObject, type: string): RawMessage => {
    const { call_id: id, output, status } = item
    reportWrongId(body, item)
    if (type === 'tool_search_output') {
      body.contents.push(...toolsText(item))
      addOutput(body, nonEmptyString(id) ?? openSearch, readOutput(undefined, []), false)
      // The provider searches within one answer, the client between two.
      return rawMessage(item.execution === 'server' ? 'assistant' : 'tool', body)
    }
    const itemId = nonEmptyString(item.id)
    const callId = id ?? (itemId === undefined ? undefined : (callIdOfItem.get(itemId) ?? itemId))
    const isShell = type === 'shell_call_output' && typeof output !== 'string'
    const read = isShell
      ? readTextsUnder(output, ['stdout', 'stderr'], ['output'])
      : readOutput(output, ['output'])
    if (read === undefined) {
      const expected = isShell ? 'list_of_outputs_of_commands' : 'text_or_list_of_parts'
      body.report(['output'], output, expected)
    } else if (!isShell) reportWrongParts(body, output, ['output'])
    const hasFailed = isShell
      ? hasFailedOutcome(output)
      : isFailedOutput(read?.texts[0]?.text ?? '')
    const isFlagged = status === 'failed' || membersOf(output).success === false || hasFailed
    addOutput(body, callId, read, isFlagged)
    return rawMessage('tool', body)
  }

  return (item: unknown, report: ReportWrongType): RawMessage | undefined => {
    if (!isResponseItem(item)) return undefined
    const type = typeof item.type === 'string' ? item.type : 'message'
    const body = new MessageBody(report)
    if (/_output$/.test(type)) return readResult(body, item, type)
    return /_call$/.test(type) ? readCall(body, item, type) : readOther(body, item, type)
  }
}

/** Reads an item that is neither a call nor a result. */
function readOther(body: MessageBody, item: JsonObject, type: string): RawMessage {
  const { content, summary } = item
  const other = ownMember(OTHERS, type)
  if (type === 'reasoning')
    body.reasoning.push(...textsIn(summary, ['summary']), ...textsIn(content, ['content']))
  else if (type === 'mcp_list_tools' || type === 'additional_tools')
    body.contents.push(...toolsText(item))
  else if (type === 'message' || type === 'agent_message') readContent(body, content)
  else if (other?.isEmpty !== true) body.nonTextParts++
  return rawMessage(other?.role ?? (item.role as string), body)
}

function toolsText({ tools }: JsonObject): RawText[] {
  return tools === undefined ? [] : [{ text: JSON.stringify(tools) }]
}

function readContent(body: MessageBody, content: unknown): void {
  if (typeof content === 'string') body.contents.push({ text: content, path: ['content'] })
  else if (Array.isArray(content)) {
    body.contents.push(...textsIn(content, ['content']))
    body.nonTextParts += content.length - body.contents.length
    reportWrongParts(body, content, ['content'])
  } else if (hasValue(content)) body.report(['content'], content, 'text_or_list_of_parts')
}

function textsIn(parts: unknown, path: JsonPath): RawText[] {
  return itemsOf(parts).flatMap((part, index) => {
    const { text, refusal } = membersOf(part)
    if (typeof text === 'string') return [{ text, path: [...path, index, 'text'] }]
    return typeof refusal === 'string' ? [{ text: refusal, path: [...path, index, 'refusal'] }] : []
  })
}

function addOutput(
  body: MessageBody,
  callId: unknown,
  output: Output | undefined,
  isFlaggedError: boolean,
): void {
  const { contents = [], nonTextParts = 1, texts = [], shape = 'other' } = output ?? {}
  body.contents.push(...contents)
  body.nonTextParts += nonTextParts
  body.addResult(callId, texts, isFlaggedError, { shape })
}

/** Reports an id of another type; a document without ids is accepted. */
function reportWrongId(body: MessageBody, { call_id: id }: JsonObject): void {
  if (hasValue(id) && typeof id !== 'string') body.report(['call_id'], id, 'id_of_a_call_text')
}

function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined
}

/** Creates a message with one text, at a path of the value it is read from. */
export function textMessage(role: string, text: string, ...path: JsonPath): RawMessage {
  return rawMessage(role, { contents: [{ text, path }] })
}

/** Types of items of the OpenAI Agents SDK, in its sessions too, that are called otherwise in the Responses API. */
const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['function_call_result', 'function_call_output'],
  ['computer_call_result', 'computer_call_output'],
  ['hosted_tool_call', 'mcp_call'],
  ['program', 'program_call'],
])

/** Reads an item by its name in the Responses API; undefined for a value that is not an item. */
export function readRunItem(
  value: JsonObject,
  readItem: ReturnType<typeof createItemReader>,
  report: ReportWrongType,
): RawMessage | undefined {
  const { type } = value
  const id = memberOf(value, 'callId')
  const item = {
    ...value,
    type: TYPES.get(type) ?? type,
    call_id: id?.value,
    ...(type === 'program' && { arguments: value.code }),
    ...(type === 'program_output' && { output: null }),
  }
  const written = (step: string | number) => (step === 'call_id' ? (id?.key as string) : step)
  const raw = readItem(item, (path, found, expected) => report(path.map(written), found, expected))
  if (raw === undefined) return undefined
  if (type === 'program') return mapPaths(raw, () => ['code'])
  if (type === 'program_output')
    return { ...raw, contents: [...memberText(value, 'result'), ...memberText(value, 'output')] }
  // JavaScript writes every text as an object.
  const results = raw.results.map((result) =>
    isJsonObject(value.output) && result.shape === 'text_parts'
      ? { ...result, shape: 'text' as const }
      : result,
  )
  return { ...raw, results }
}
