/**
 * One `UIMessage`: https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message, and that of version 4,
 * https://v4.ai-sdk.dev/docs/reference/ai-sdk-ui/use-chat
 * It has a complete answer, with call and result in one part, so it is read as several messages: each step is an
 * assistant message, followed by a message of role `tool` with its results. A step starts at `step-start`, in version 4
 * also at a text after a call and where the step number of a call changes.
 * Version 4 writes a call twice, in its part and in `toolInvocations`: the second is a duplicate of the first.
 */

import { readTime } from '../../conversation/conversation'
import type { RawMessage } from '../../conversation/link-messages'
import { isJsonObject, type JsonObject, membersOf, scalarText } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import type { MessagePiece, MessagePieces, SourcePath } from '../reading/conversation'
import { MessageBody, rawMessage } from '../reading/raw-message'
import type { ReportWrongType } from '../reading/report'
import { addCall, addResult, readRawOutput, type ToolOutput } from './tool-result'

/** A part that calls a tool, in any version; its path is relative to the message. */
type ToolPart = NonNullable<ReturnType<typeof toolPartOf>>

interface Step {
  readonly answer: MessagePiece[]
  readonly results: MessagePiece[]
}

/** Reads a message that has `parts` or `toolInvocations`; reports parts of the wrong type and skips them. */
export function readUiMessage(
  message: JsonObject,
  place: SourcePath,
  report: ReportWrongType,
): MessagePieces[] {
  const role = scalarText(message.role)
  const steps: Step[] = []
  let step: Step | undefined
  let lastTool: ToolPart | undefined
  const currentStep = (): Step => {
    if (step === undefined) {
      step = { answer: [], results: [] }
      steps.push(step)
    }
    return step
  }
  const endStep = (): void => {
    step = undefined
    lastTool = undefined
  }
  for (const [path, part] of partsOf(message, report)) {
    const tool = toolPartOf(part, path, report)
    if (part.type === 'step-start') endStep()
    else if (tool === undefined) {
      if (part.type === 'text' && isVersion4(lastTool)) endStep()
      const raw = readPart(part, role, path, report)
      if (raw !== undefined) currentStep().answer.push({ raw, ...below(place, path) })
    } else if (part.state !== 'input-streaming' && tool.invocation.state !== 'partial-call') {
      if (isVersion4(lastTool) && lastTool?.invocation.step !== tool.invocation.step) endStep()
      readTool(tool, role, place, currentStep(), report)
      lastTool = tool
    }
  }
  const [only, ...others] = steps
  const first = only?.answer[0]
  // The times of the steps of a longer answer are not known.
  if (only !== undefined && first !== undefined && others.length === 0)
    only.answer[0] = { ...first, raw: { ...first.raw, writtenAt: timeOf(message) } }
  const placed = steps
    .flatMap(({ answer, results }) => [answer, results])
    .flatMap(([piece, ...more]): MessagePieces[] => (piece === undefined ? [] : [[piece, ...more]]))
  return placed.length > 0 ? placed : [[{ raw: rawMessage(role), ...place }]]
}

function timeOf({ createdAt, metadata }: JsonObject): number | undefined {
  // Metadata is any value; many applications write a time there.
  const noted = membersOf(metadata)
  return readTime(createdAt ?? noted.createdAt ?? noted.timestamp)
}

function below({ source, path }: SourcePath, inner: JsonPath): SourcePath {
  return { source, path: [...path, ...inner] }
}

/** Returns the parts with their paths; calls and text of a message without parts, as in version 4, are read as its parts. */
function partsOf(
  { parts, content, toolInvocations }: JsonObject,
  report: ReportWrongType,
): (readonly [JsonPath, JsonObject])[] {
  const hasParts = parts !== undefined && parts !== null
  const key = hasParts ? 'parts' : 'toolInvocations'
  const list = hasParts ? parts : toolInvocations
  if (!Array.isArray(list)) {
    report([key], list, 'list_of_parts')
    return []
  }
  const found = list.flatMap((part, index): (readonly [JsonPath, JsonObject])[] => {
    const path = [key, index]
    if (!isJsonObject(part)) {
      report(path, part, 'part_with_type')
      return []
    }
    return [[path, hasParts ? part : { type: 'tool-invocation', toolInvocation: part }]]
  })
  const hasText = !hasParts && typeof content === 'string' && content !== ''
  return hasText ? [...found, [['content'], { type: 'text', text: content }]] : found
}

function toolPartOf(part: JsonObject, path: JsonPath, report: ReportWrongType) {
  const { type, toolInvocation } = part
  if (type === 'tool-invocation') {
    const at = path[0] === 'parts' ? [...path, 'toolInvocation'] : path
    if (isJsonObject(toolInvocation))
      return { invocation: toolInvocation, path: at, name: toolInvocation.toolName }
    report(at, toolInvocation, 'call_with_tool_call_id_and_tool_name')
    return undefined
  }
  if (type === 'dynamic-tool') return { invocation: part, path, name: part.toolName }
  if (typeof type !== 'string' || !type.startsWith('tool-')) return undefined
  return { invocation: part, path, name: type.slice('tool-'.length) }
}

/** True for a call in `toolInvocations`, or in the `toolInvocation` of a part. */
function isVersion4(tool: ToolPart | undefined): boolean {
  return tool?.path[0] === 'toolInvocations' || tool?.path[2] === 'toolInvocation'
}

function readPart(
  { type, text, reasoning }: JsonObject,
  role: string,
  path: JsonPath,
  report: ReportWrongType,
): RawMessage | undefined {
  const at = path[0] === 'content' ? [] : ['text']
  if (type === 'text') {
    if (typeof text === 'string') return rawMessage(role, { contents: [{ text, path: at }] })
    report([...path, ...at], text, 'text')
  }
  if (type === 'reasoning') {
    // In version 4, the text has this name.
    const [key, thought] = typeof text === 'string' ? ['text', text] : ['reasoning', reasoning]
    if (typeof thought === 'string')
      return rawMessage(role, { reasoning: [{ text: thought, path: [key] }] })
  }
  return type === 'file' ? rawMessage(role, { nonTextParts: 1 }) : undefined
}

/** Adds a call to its step, and its result if there is one. */
function readTool(
  { invocation, name, path }: ToolPart,
  role: string,
  place: SourcePath,
  step: Step,
  report: ReportWrongType,
): void {
  const partPlace = below(place, path)
  const reportBelow: ReportWrongType = (at, value, expected) =>
    report([...path, ...at], value, expected)
  const { toolCallId: id } = invocation
  const isProviderExecuted = invocation.providerExecuted === true
  const answer = new MessageBody(reportBelow)
  addCall(answer, invocation, name, [])
  const body = isProviderExecuted ? answer : new MessageBody(reportBelow)
  const output = readOutput(invocation, reportBelow)
  if (output !== undefined) addResult(body, id, output, isProviderExecuted)
  step.answer.push({ raw: rawMessage(role, answer), ...partPlace })
  if (output === undefined || isProviderExecuted) return
  step.results.push({ raw: rawMessage('tool', body), ...partPlace })
}

/** Reads the output of a call; the output of a denied call is the user's reason. */
function readOutput(
  { state, output, result, errorText, approval }: JsonObject,
  report: ReportWrongType,
): ToolOutput | undefined {
  switch (state) {
    case 'output-error':
      if (typeof errorText !== 'string') report(['errorText'], errorText, 'text')
      return { ...readRawOutput(errorText, ['errorText']), isFlaggedError: true }
    case 'output-denied': {
      const reason = membersOf(approval).reason
      return { ...readRawOutput(reason, ['approval', 'reason']), isFlaggedError: true }
    }
    case 'output-available':
      return readRawOutput(output, ['output'])
    case 'result':
      return readRawOutput(result, ['result'])
    default:
      return undefined
  }
}
