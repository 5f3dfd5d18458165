/**
 * One `UIMessage`: https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message, and that of version 4,
 * https://v4.ai-sdk.dev/docs/reference/ai-sdk-ui/use-chat
 * It holds a whole answer, call and result in one part, so it is several messages: each step (from `step-start` on, in
 * version 4 also from a text after a call) is an assistant message, followed by one of role `tool` with its results.
 * Version 4 writes a call twice, in its part and in `toolInvocations`: the second is the twin of the first.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { RawMessage, RawText } from '../conversation/link-messages'
import { readTime } from '../conversation/read-time'
import type { JsonPath } from '../text/json-pointer'
import {
  callOf,
  type ReadOutput,
  type Report,
  readRawOutput,
  repeatsOf,
  resultOf,
} from './ai-sdk-result'
import type { MessagePiece, PlacedMessage, SourcePlace, TwinPlace } from './build-conversation'

type JsonObject = Readonly<Record<string, unknown>>

/** A part that calls a tool, in whatever version's words. */
interface ToolPart {
  readonly value: JsonObject
  /** Below its message. */
  readonly path: JsonPath
  readonly name: unknown
}

interface Step {
  readonly own: MessagePiece[]
  readonly results: MessagePiece[]
}

/** Reads a message that has `parts` or `toolInvocations`; paths told to `report` go on from the message. */
export function readUiMessage(
  message: JsonObject,
  place: SourcePlace,
  report: Report,
): PlacedMessage[] {
  const role = String(message.role)
  const list = partsOf(message, report)
  const steps: Step[] = []
  let step: Step | undefined
  let lastTool: ToolPart | undefined
  const repeats = repeatsIn(message)
  const inStep = (): Step => {
    if (step === undefined) {
      step = { own: [], results: [] }
      steps.push(step)
    }
    return step
  }
  const endStep = (): void => {
    step = undefined
    lastTool = undefined
  }
  for (const [path, part] of list) {
    const tool = toolPartOf(part, path, report)
    if (part.type === 'step-start') endStep()
    else if (tool === undefined) {
      if (part.type === 'text' && isVersion4(lastTool)) endStep()
      const raw = readPart(part, role, path, report)
      if (raw !== undefined) inStep().own.push({ raw, ...below(place, path) })
    } else if (part.state !== 'input-streaming' && tool.value.state !== 'partial-call') {
      if (isVersion4(lastTool) && lastTool?.value.step !== tool.value.step) endStep()
      readTool(tool, repeats, role, place, inStep(), report)
      lastTool = tool
    }
  }
  const answer = steps.length === 1 ? steps[0]?.own[0] : undefined
  // Of an answer of several steps the time of each is not known.
  if (answer !== undefined && steps[0] !== undefined)
    steps[0].own[0] = { ...answer, raw: { ...answer.raw, at: timeOf(message) } }
  const placed = steps.flatMap(({ own, results }) => [...asMessage(own), ...asMessage(results)])
  return placed.length > 0 ? placed : [[{ raw: emptyMessage(role), ...place }]]
}

/** Version 4 has a time of its own, version 5 leaves it to what applications note of a message. */
function timeOf({ createdAt, metadata }: JsonObject): number | undefined {
  const noted = isJsonObject(metadata) ? (metadata.createdAt ?? metadata.timestamp) : undefined
  return readTime(createdAt ?? noted)
}

function asMessage([first, ...rest]: readonly MessagePiece[]): PlacedMessage[] {
  return first === undefined ? [] : [[first, ...rest]]
}

function below({ source, path }: SourcePlace, more: JsonPath): SourcePlace {
  return { source, path: [...path, ...more] }
}

/** The parts with their paths; the oldest messages have calls and a text instead, which came after them. */
function partsOf(message: JsonObject, report: Report): (readonly [JsonPath, JsonObject])[] {
  const hasParts = message.parts !== undefined && message.parts !== null
  const key = hasParts ? 'parts' : 'toolInvocations'
  const list = message[key]
  if (!Array.isArray(list)) {
    report([key], list, 'a list of parts')
    return []
  }
  const parts = list.flatMap((part, index): (readonly [JsonPath, JsonObject])[] => {
    const path = [key, index]
    if (!isJsonObject(part)) {
      report(path, part, 'a part, an object with a "type"')
      return []
    }
    return [[path, hasParts ? part : { type: 'tool-invocation', toolInvocation: part }]]
  })
  const isOlder = !hasParts && typeof message.content === 'string' && message.content !== ''
  return isOlder ? [...parts, [['content'], { type: 'text', text: message.content }]] : parts
}

function toolPartOf(part: JsonObject, path: JsonPath, report: Report): ToolPart | undefined {
  const { type, toolInvocation } = part
  if (type === 'tool-invocation') {
    // The oldest messages list the invocations themselves.
    const at = path[0] === 'parts' ? [...path, 'toolInvocation'] : path
    if (isJsonObject(toolInvocation))
      return { value: toolInvocation, path: at, name: toolInvocation.toolName }
    report(at, toolInvocation, 'a call, an object with "toolCallId" and "toolName"')
    return undefined
  }
  if (type === 'dynamic-tool') return { value: part, path, name: part.toolName }
  if (typeof type !== 'string' || !type.startsWith('tool-')) return undefined
  return { value: part, path, name: type.slice('tool-'.length) }
}

/** Parts of version 4 hold their call in a member, or are it. */
function isVersion4(tool: ToolPart | undefined): boolean {
  return tool?.path[0] === 'toolInvocations' || tool?.path[2] === 'toolInvocation'
}

function readPart(
  part: JsonObject,
  role: string,
  path: JsonPath,
  report: Report,
): RawMessage | undefined {
  const { type, text, reasoning } = part
  const at = path[0] === 'content' ? [] : ['text']
  if (type === 'text') {
    if (typeof text === 'string') return { ...emptyMessage(role), contents: [{ text, path: at }] }
    report([...path, ...at], text, 'a text')
  }
  if (type === 'reasoning') {
    const key = typeof text === 'string' ? 'text' : 'reasoning'
    const thought = key === 'text' ? text : reasoning
    if (typeof thought === 'string')
      return { ...emptyMessage(role), reasoning: [{ text: thought, path: [key] }] }
  }
  if (type === 'file') return { ...emptyMessage(role), nonTextParts: 1 }
  return undefined
}

function emptyMessage(role: string): RawMessage {
  return {
    role,
    isAssistant: role === 'assistant',
    name: undefined,
    contents: [],
    reasoning: [],
    nonTextParts: 0,
    calls: [],
    results: [],
  }
}

/** Puts a call into its step, and its result where there is one. */
function readTool(
  tool: ToolPart,
  copied: Repeats,
  role: string,
  place: SourcePlace,
  step: Step,
  report: Report,
): void {
  const { value, name, path } = tool
  const partPlace = below(place, path)
  const reportBelow: Report = (at, wrong, expected) => report([...path, ...at], wrong, expected)
  const call = callOf(value, name, [], reportBelow)
  const isProviderExecuted = value.providerExecuted === true
  const read = readResult(value, isProviderExecuted, reportBelow)
  const asked = { ...emptyMessage(role), calls: [call] }
  if (read === undefined) {
    step.own.push({ raw: asked, ...partPlace })
    return
  }
  const { result, contents, nonTextParts, repeats } = read
  const answered = { contents, nonTextParts, results: [result] }
  if (isProviderExecuted) {
    step.own.push({ raw: { ...asked, ...answered }, ...partPlace })
    return
  }
  const copies = path[0] === 'parts' ? twinsOf(copied, value.toolCallId, place, result.texts) : []
  const twins = [...copies, ...repeatsOf({ texts: result.texts, repeats }, partPlace)]
  step.own.push({ raw: asked, ...partPlace })
  step.results.push({ raw: { ...emptyMessage('tool'), ...answered }, ...partPlace, twins: [twins] })
}

function readResult(value: JsonObject, isProviderExecuted: boolean, report: Report) {
  const output = readOutput(value, report)
  if (output === undefined) return undefined
  const { repeats } = output
  return { ...resultOf(value.toolCallId, output, isProviderExecuted), repeats }
}

/** A call that the user denied is answered by the reason, or by a text of the SDK's own. */
function readOutput(value: JsonObject, report: Report): ReadOutput | undefined {
  const { state, errorText, approval } = value
  switch (state) {
    case 'output-error':
      if (typeof errorText !== 'string') report(['errorText'], errorText, 'a text')
      return { ...readRawOutput(errorText, ['errorText']), isFlaggedError: true }
    case 'output-denied': {
      const reason = isJsonObject(approval) ? approval.reason : undefined
      return { ...readRawOutput(reason, ['approval', 'reason']), isFlaggedError: true }
    }
    case 'output-available':
      return readRawOutput(value.output, ['output'])
    case 'result':
      return readRawOutput(value.result, ['result'])
    default:
      return undefined
  }
}

/** By id, what `toolInvocations` holds of it and no part has claimed yet. */
type Repeats = ReadonlyMap<unknown, (readonly [number, JsonObject])[]>

function repeatsIn({ toolInvocations: list }: JsonObject): Repeats {
  const repeats = new Map<unknown, (readonly [number, JsonObject])[]>()
  if (!Array.isArray(list)) return repeats
  for (const [index, invocation] of list.entries()) {
    if (!isJsonObject(invocation)) continue
    const same = repeats.get(invocation.toolCallId)
    if (same === undefined) repeats.set(invocation.toolCallId, [[index, invocation]])
    else same.push([index, invocation])
  }
  return repeats
}

/** Where `toolInvocations` repeats a result: the same strings at the same places. */
function twinsOf(
  repeats: Repeats,
  id: unknown,
  place: SourcePlace,
  texts: readonly RawText[],
): TwinPlace[] {
  const [index, invocation] = repeats.get(id)?.shift() ?? []
  if (index === undefined) return []
  return texts.flatMap(({ text, path = [] }, at): TwinPlace[] => {
    if (valueAt(invocation, path) !== text) return []
    const twin = below(place, ['toolInvocations', index, ...path])
    return [{ ...twin, ...(at > 0 && { filler: '' }) }]
  })
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (found, step) =>
      typeof found === 'object' && found !== null
        ? (found as Readonly<Record<string | number, unknown>>)[step]
        : undefined,
    value,
  )
}
