/**
 * AI SDK (npm `ai`): `ModelMessage` (`CoreMessage` in version 4),
 * https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message, and `UIMessage`, see `ai-sdk-ui-message`.
 * A turn is an assistant message with a tool call; in a `UIMessage` it is a step. A result is a `tool-result`, or
 * the `output`, `result` or `errorText` in the part of a call, or the user's reason for denying it. Its text is the
 * text itself, the blocks of an output of type `content`, or the strings of any other value; keys and numbers stay.
 * Flagged as errors: outputs of type `error-text`, `error-json` and `execution-denied`, `isError`, and the states
 * `output-error` and `output-denied`. Results with images or files, and those of a provider's own tools, are not text.
 * In a `ModelMessage`, results of a provider's own tools are in the assistant message: providers accept them only unchanged.
 * Shapes: message arrays, bodies (`messages`), JSON Lines of either, and lists of messages anywhere in a larger
 * document, such as `response.messages` in what `generateText` returns.
 * Duplicates: copies of results in its steps, `structuredContent` in answers of MCP servers,
 * and strings outside the messages that equal a result.
 * Usage is stated for all steps together: in `metadata` of messages for a page, and in `totalUsage` or `steps`.
 * Ignored: ids, other metadata, sources, data parts, approvals, `content` beside `parts`, and calls that are still being
 * written.
 */

import { sumUsage, type UsageTotal } from '../../conversation/conversation'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import { type JsonPath, valueAtPath } from '../../text/json-path'
import { readSystemPrompt } from '../anthropic/anthropic-message'
import { buildConversation, type MessagePiece, type SourcePath } from '../reading/conversation'
import { listFormat, readItems } from '../reading/list-format'
import { findKeys, isPlainMessage, type ListItem } from '../reading/lists'
import { MessageBody, rawMessage, textAt } from '../reading/raw-message'
import { readUsage, usageOfAnswer } from '../reading/read-usage'
import type { ReportWrongType } from '../reading/report'
import { readUiMessage } from './ai-sdk-ui-message'
import { addCall, addResult, readRawOutput, readTypedOutput, type ToolOutput } from './tool-result'

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool', 'data'])

export const aiSdk = listFormat({
  id: 'ai-sdk',
  label: 'AI SDK',
  expects:
    'a list of messages with "tool-call" and "tool-result" parts, or with "parts" for a page',
  kind: {
    isMessage: (value) => isJsonObject(value) && typeof value.role === 'string',
    hasFormatMarks: (messages) => messages.some((message) => marksOf(message).length > 0),
    isCompatible: (messages) =>
      messages.every((message) =>
        isPlainMessage(message, ['user', 'assistant', 'system'], ['text']),
      ),
  },
  marks: (source, lists) => {
    const found = lists.flatMap(({ items }) => items.flatMap(({ value }) => marksOf(value)))
    return [...new Set(found), ...findKeys(source, ['toolCallId'])].slice(0, 3)
  },
  readList: (list, problems) => {
    const { label, items, owner = {} } = list
    const { model, tools } = owner
    const placed = readItems(items, problems, (value, place, report) => {
      const { role, parts, toolInvocations } = value
      if (typeof role !== 'string') return undefined
      const isForPage = (parts !== undefined && parts !== null) || Array.isArray(toolInvocations)
      if (isForPage) return readUiMessage(value, place, report)
      return [[readModelMessage(value, place, report)]]
    })
    return buildConversation([...readSystemPrompt(list, 'system'), ...placed], {
      label,
      model,
      ...(isJsonObject(tools) ? { toolSchemas: JSON.stringify(tools) } : { tools }),
      usageTotal: usageOfMessages(items) ?? usageOfSteps(items),
    })
  },
})

const MODEL_PART_TYPES = new Set(['tool-call', 'tool-result'])
const UI_PART_TYPES = new Set(['step-start', 'dynamic-tool', 'tool-invocation'])

/** Returns the types and keys in a message that no other format has. */
function marksOf(message: unknown): string[] {
  if (!isJsonObject(message)) return []
  const { role, content, parts, toolInvocations } = message
  if (!ROLES.has(role)) return []
  const marks = typesOf(content).filter((type) => MODEL_PART_TYPES.has(type))
  const types = typesOf(parts)
  marks.push(...types.filter((type) => UI_PART_TYPES.has(type) || type.startsWith('tool-')))
  const hasTexts = itemsOf(parts).some((part) => {
    const members = membersOf(part)
    return members.type === 'text' && Object.hasOwn(members, 'text')
  })
  if (hasTexts) marks.push('parts')
  if (itemsOf(toolInvocations).length > 0) marks.push('toolInvocations')
  return marks
}

function typesOf(parts: unknown): string[] {
  return itemsOf(parts).flatMap((part) => {
    const { type } = membersOf(part)
    return typeof type === 'string' ? [type] : []
  })
}

/** The usage in the metadata of messages for a page, each of all steps of its message. */
function usageOfMessages(items: readonly ListItem[]): UsageTotal | undefined {
  const found = items.flatMap(({ value }) => {
    const isForPage = isJsonObject(value) && Array.isArray(value.parts)
    return isForPage ? (usageOfAnswer({ metadata: value.metadata }) ?? []) : []
  })
  return sumUsage(found)
}

/** The usage of all steps, in what `generateText` returns around `response.messages`. */
function usageOfSteps([first]: readonly ListItem[]): UsageTotal | undefined {
  if (first === undefined || first.path.includes('steps')) return undefined
  const result = valueAtPath(first.source.value, first.path.slice(0, -3))
  if (!isJsonObject(result) || !Array.isArray(result.steps)) return undefined
  const { steps } = result
  const total = readUsage(result.totalUsage, 'aiSdk')
  const ofSteps = sumUsage(steps.flatMap((step) => usageOfAnswer(step) ?? []))
  const found = total ?? ofSteps
  return found && { ...found, requests: steps.length }
}

/** Reads a message at a place; reports parts of the wrong type and skips them. */
function readModelMessage(
  { role, content }: JsonObject,
  place: SourcePath,
  report: ReportWrongType,
): MessagePiece {
  const body = new MessageBody(report)
  const readResult = (part: JsonObject, at: JsonPath): void => {
    const output = readOutput(part, at, report)
    addResult(body, part.toolCallId, output, role === 'assistant')
  }
  const readPart = (part: JsonObject, at: JsonPath): void => {
    const { type, toolName } = part
    if (type === 'text') body.addText(part, at)
    else if (type === 'image' || type === 'file') body.nonTextParts++
    else if (type === 'tool-call') addCall(body, part, toolName, at)
    else if (type === 'tool-result') readResult(part, at)
    else if (type === 'reasoning') body.reasoning.push(...textAt(part, 'text', at))
  }

  if (content !== undefined && content !== null)
    body.addContent(content, ['content'], 'text_or_list_of_parts', (part, at) => {
      if (isJsonObject(part)) readPart(part, at)
      else report(at, part, 'part_with_type')
    })
  return { raw: rawMessage(scalarText(role), body), ...place }
}

/** Reads the typed `output` of a result, or the `result` of version 4. */
function readOutput(part: JsonObject, at: JsonPath, report: ReportWrongType): ToolOutput {
  const { toolCallId: id, result, experimental_content: blocks, isError } = part
  if (typeof id !== 'string') report([...at, 'toolCallId'], id, 'text_id_of_answered_call')
  if (!Object.hasOwn(part, 'result') || Object.hasOwn(part, 'output'))
    return readTypedOutput(part.output, [...at, 'output'], report)
  const output = readRawOutput(result, [...at, 'result'])
  const media = itemsOf(blocks).filter((block) => membersOf(block).type !== 'text')
  return {
    ...output,
    nonTextParts: output.nonTextParts + media.length,
    isFlaggedError: output.isFlaggedError || isError === true,
  }
}
