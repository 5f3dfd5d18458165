/**
 * Sessions of GitHub Copilot CLI (`~/.copilot/session-state/…/events.jsonl`), one event per line. The events are those of
 * the Copilot SDK: https://github.com/github/copilot-sdk/blob/main/nodejs/src/generated/session-events.ts
 * A turn is an `assistant.message` with `toolRequests`; the messages into which one answer was split share an `apiCallId`.
 * A result is a `tool.execution_complete`: the `content` of its result, or its error message. Images beside it stay.
 * Events of a subagent are a conversation of their own. A compaction starts a conversation with its summary, and so does
 * a cleared context. Duplicates: what the result's other members and hooks repeat of it.
 * Usage: `assistant.usage` of the same call where a log has it (the CLI does not store it), otherwise output tokens only.
 * Only the first system message counts; the file has no tool schemas. Ignored: all other events.
 * It is longer than most readers because subagents, compactions and hooks share one list of events.
 */

import { argumentsText } from '../../conversation/chat-message'
import { nonEmptyString } from '../../conversation/link-messages'
import { readTime } from '../../conversation/read-time'
import type { Problem } from '../../problem'
import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  membersOf,
  ownMember,
  type Unchecked,
} from '../../text/json-object'
import type { Words } from '../../words/words'
import { buildConversation, type MessagePiece } from '../reading/build-conversation'
import { DuplicateFinder } from '../reading/duplicate-finder'
import { findRepeats } from '../reading/find-repeats'
import type { Format, FormatReading } from '../reading/format'
import { skippedMessageProblem } from '../reading/message-lists'
import { emptyBody, type MessageBody, memberText, rawMessage } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import type { SourceDocument, SourceValue } from '../reading/source-document'
import {
  labelAt,
  type ReportWrongType,
  reportWrongTypesTo,
  wrongTypeProblem,
} from '../reading/wrong-type-problem'

interface RawEvent {
  readonly type: string
  readonly data: Data
  readonly timestamp: string
  /** Of a subagent. */
  readonly agentId?: string
}

/** The members that are read, of all types of events. */
interface Data {
  readonly content?: string
  /** What the model receives instead of `content`. */
  readonly transformedContent?: string
  readonly toolRequests?: readonly ToolRequest[]
  readonly reasoningText?: string | null
  readonly model?: string
  readonly selectedModel?: string
  readonly apiCallId?: string
  readonly toolCallId?: string
  readonly success?: boolean
  readonly result?: { readonly content: string; readonly binaryResultsForLlm?: readonly object[] }
  readonly error?: { readonly message: string }
  /** Of a subagent, in older files. */
  readonly parentToolCallId?: string
  readonly summaryContent?: string
  readonly initialMessage?: string
  readonly messagesCleared?: number
}

interface ToolRequest {
  readonly toolCallId: string
  readonly name: string
  readonly arguments?: object | string
}

/** The role of each event that is a message. */
const ROLES: Readonly<Record<string, string>> = {
  'system.message': 'system',
  'user.message': 'user',
  'system.notification': 'user',
  'skill.invoked': 'user',
  'session.compaction_complete': 'user',
  'session.context_cleared': 'user',
  'assistant.message': 'assistant',
  'tool.execution_complete': 'tool',
}

const MARKS = ['user.message', 'assistant.message', 'tool.execution_complete']

export const copilotCli: Format = {
  id: 'copilot-cli',
  label: 'Copilot CLI session',
  expects: 'expects_copilot_cli',
  recognise: (source) => {
    const types = new Set(
      source.values.flatMap(({ value }) =>
        isJsonObject(value) && isJsonObject(value.data) ? [value.type] : [],
      ),
    )
    if (!MARKS.some((mark) => types.has(mark))) return null
    return { shape: 'event_lines', lists: 1, marks: MARKS.filter((mark) => types.has(mark)) }
  },
  read: readEvents,
}

/** Messages in the context of one agent, up to a compaction. */
interface Context {
  readonly label: Words
  readonly isSecondary: boolean
  readonly followsCompaction: boolean
  readonly placed: [MessagePiece, ...MessagePiece[]][]
  model: string | undefined
  /** Of the last message, if that is an answer. */
  callOfAnswer: unknown
}

function readEvents({ text, values }: SourceDocument): FormatReading {
  const problems: Problem[] = []
  const events = values.flatMap((source) => readEvent(source, problems))
  const usages = new Map(
    events.flatMap(({ type, data }) =>
      type === 'assistant.usage' ? [[data.apiCallId, data]] : [],
    ),
  )
  const contexts: Context[] = []
  const current = new Map<unknown, Context>()
  let announced: string | undefined
  for (const { source, type, data, agent, at } of events) {
    announced = nonEmptyString(data.selectedModel) ?? nonEmptyString(data.newModel) ?? announced
    const role = ownMember(ROLES, type)
    if (role === undefined || (data.success === false && type !== 'tool.execution_complete'))
      continue
    const isReset = type.startsWith('session.')
    const known = isReset ? undefined : current.get(agent)
    const context = known ?? contextAt(source, agent, isReset)
    if (role === 'system' && context.placed.length > 0) continue
    const body = readBody(role, data, reportWrongTypesTo(problems, source, ['data']))
    if (known === undefined) contexts.push(context)
    current.set(agent, context)
    if (isReset && body.contents.length === 0) continue
    const isAnswer = role === 'assistant'
    const model = nonEmptyString(data.model)
    if (isAnswer) context.model ??= model ?? announced
    const stated = usages.get(data.apiCallId) ?? data
    const usage = isAnswer ? readUsage(stated, 'copilot', { model, at }) : undefined
    const place = { source, path: ['data'] }
    const texts = body.results.map((result) => result.texts)
    const duplicates = findRepeats(place, REPEATS, texts)
    const piece = { ...place, raw: { ...rawMessage(role, body), writtenAt: at, usage }, duplicates }
    const call = isAnswer ? data.apiCallId : undefined
    const isContinued = call !== undefined && call === context.callOfAnswer
    if (isContinued) context.placed.at(-1)?.push(piece)
    else context.placed.push([piece])
    context.callOfAnswer = call
  }
  const finder = new DuplicateFinder(
    text,
    contexts.map(({ placed, ...details }) =>
      buildConversation(placed, { ...details, toolSchemas: '' }),
    ),
  )
  for (const { source, type } of events) {
    if (type.startsWith('hook.')) finder.search(source, ['data'])
  }
  return { conversations: finder.conversations(), problems }
}

interface Event {
  readonly source: SourceValue
  readonly type: string
  readonly data: Unchecked<Data> & JsonObject
  readonly agent: string | undefined
  readonly at: number | undefined
}

function readEvent(source: SourceValue, problems: Problem[]): Event[] {
  const { value } = source
  if (!isJsonObject(value) || typeof value.type !== 'string') {
    problems.push(skippedMessageProblem({ source, path: [], value }))
    return []
  }
  const { data, agentId, timestamp }: Unchecked<RawEvent> = value
  if (!isJsonObject(data)) {
    const expected = 'data_of_event_object'
    if (Object.hasOwn(ROLES, value.type))
      problems.push(wrongTypeProblem(source, ['data'], data, expected))
    return []
  }
  const agent = nonEmptyString(agentId) ?? nonEmptyString(data.parentToolCallId)
  return [{ source, type: value.type, data, agent, at: readTime(timestamp) }]
}

function contextAt({ line }: SourceValue, agent: string | undefined, isReset: boolean): Context {
  const label = agent === undefined ? 'session' : 'subagent'
  return {
    label: labelAt(label, line, isReset, agent !== undefined),
    isSecondary: agent !== undefined,
    followsCompaction: isReset,
    placed: [],
    model: undefined,
    callOfAnswer: undefined,
  }
}

function readBody(
  role: string,
  data: Unchecked<Data> & JsonObject,
  report: ReportWrongType,
): MessageBody {
  const body = emptyBody()
  if (role === 'tool') {
    readResult(body, data, report)
    return body
  }
  const key = ['transformedContent', 'content', 'summaryContent', 'initialMessage'].find(
    (member) => typeof data[member] === 'string',
  )
  if (key !== undefined) body.contents.push(...memberText(data, key))
  // An answer may be calls alone, and a cleared context may begin without a message.
  else if (data.content !== null && data.messagesCleared === undefined)
    report(['content'], data.content, 'text')
  if (role !== 'assistant') return body
  body.reasoning.push(...memberText(data, 'reasoningText'))
  const { toolRequests = [] } = data
  if (!Array.isArray(toolRequests)) report(['toolRequests'], toolRequests, 'list_of_calls')
  for (const [index, request] of itemsOf(toolRequests).entries()) {
    const path = ['toolRequests', index]
    if (!isJsonObject(request)) {
      report(path, request, 'call_with_tool_call_id')
      continue
    }
    const { toolCallId: id, name, arguments: written }: Unchecked<ToolRequest> = request
    if (nonEmptyString(id) === undefined) report([...path, 'toolCallId'], id, 'id')
    const place = written === undefined ? {} : { path: [...path, 'arguments'] }
    body.calls.push({ id, name, arguments: argumentsText(written), ...place })
  }
  return body
}

/** Members that repeat a result. */
const REPEATS = [
  ['result', 'detailedContent'],
  ['result', 'contents'],
  ['result', 'structuredContent'],
  ['toolTelemetry'],
]

function readResult(
  body: MessageBody,
  { toolCallId: callId, success, result, error }: Unchecked<Data>,
  report: ReportWrongType,
): void {
  if (nonEmptyString(callId) === undefined) report(['toolCallId'], callId, 'id_of_a_call')
  const [key, owner, member] =
    isJsonObject(result) || success !== false
      ? (['result', membersOf(result), 'content'] as const)
      : (['error', membersOf(error), 'message'] as const)
  const text = owner[member]
  if (typeof text !== 'string') report([key, member], text, 'text')
  body.nonTextParts += itemsOf(owner.binaryResultsForLlm).length
  body.results.push({
    callId,
    shape: typeof text === 'string' ? 'text' : 'other',
    texts: typeof text === 'string' ? [{ text, path: [key, member] }] : [],
    isFlaggedError: success === false,
  })
}
