/**
 * Sessions of GitHub Copilot CLI (`~/.copilot/session-state/…/events.jsonl`), one event per line. The events are those of
 * the Copilot SDK: https://github.com/github/copilot-sdk/blob/main/nodejs/src/generated/session-events.ts
 * A turn is an `assistant.message` with `toolRequests`; the messages into which one answer was split share an `apiCallId`.
 * A result is a `tool.execution_complete`: the `content` of its result, or its error message. Images beside it stay.
 * Events of a subagent are a conversation of their own. A compaction starts a conversation with its summary, and so does
 * a cleared context. Duplicates: what the result's other members and hooks repeat of it.
 * Usage: `session.usage_record` or `assistant.usage` of the same call, otherwise output tokens only.
 * Only the first system message counts; the file has no tool schemas. Ignored: all other events.
 */

import { readTime } from '../../conversation/conversation'
import { nonEmptyString } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, ownMember } from '../../text/json'
import { buildConversation, type MessagePiece } from '../reading/conversation'
import type { Format, FormatReading } from '../reading/format'
import { skippedMessageProblem } from '../reading/lists'
import { MessageBody, memberText, rawMessage } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { labelAt, reportWrongTypesTo, wrongTypeProblem } from '../reading/report'
import ROLES from '../reading/roles.json' with { type: 'json' }
import type { SourceDocument, SourceValue } from '../reading/source-document'

const MARKS = ['user.message', 'assistant.message', 'tool.execution_complete']

export const copilotCli: Format<'copilot-cli'> = {
  id: 'copilot-cli',
  label: 'Copilot CLI session',
  expects: 'lines of events of types such as "assistant.message", each with its "data"',
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

function readEvents({ values }: SourceDocument): FormatReading {
  const problems: Problem[] = []
  const events = values.flatMap((source) => readEvent(source, problems))
  const usages = new Map(
    events.flatMap(({ type, data }) => {
      const usage = type === 'session.usage_record' ? membersOf(data.usage) : data
      return usage !== data || type === 'assistant.usage' ? [[usage.apiCallId, usage]] : []
    }),
  )
  const contexts: ReturnType<typeof contextAt>[] = []
  const current = new Map<unknown, ReturnType<typeof contextAt>>()
  let announced: string | undefined
  for (const { source, type, data, agent, at } of events) {
    announced = nonEmptyString(data.selectedModel) ?? nonEmptyString(data.newModel) ?? announced
    const role = ownMember<string>(ROLES.copilotCli, type)
    if (role === undefined || (data.success === false && type !== 'tool.execution_complete'))
      continue
    const isReset = type.startsWith('session.')
    const known = isReset ? undefined : current.get(agent)
    const context = known ?? contextAt(source, agent, isReset)
    if (role === 'system' && context.placed.length > 0) continue
    const body = new MessageBody(reportWrongTypesTo(problems, source, ['data']))
    if (role === 'tool') readResult(body, data)
    else readMessage(body, data, role)
    if (known === undefined) contexts.push(context)
    current.set(agent, context)
    if (isReset && body.contents.length === 0) continue
    const isAnswer = role === 'assistant'
    const model = nonEmptyString(data.model)
    if (isAnswer) context.model ??= model ?? announced
    const stated = usages.get(data.apiCallId) ?? data
    const usage = isAnswer ? readUsage(stated, 'copilot', { model, at }) : undefined
    const place = { source, path: ['data'] }
    const piece = { ...place, raw: { ...rawMessage(role, body), writtenAt: at, usage } }
    const call = isAnswer ? data.apiCallId : undefined
    const isContinued = call !== undefined && call === context.callOfAnswer
    if (isContinued) context.placed.at(-1)?.push(piece)
    else context.placed.push([piece])
    context.callOfAnswer = call
  }
  const conversations = contexts.map(({ placed, ...details }) => buildConversation(placed, details))
  return { conversations, problems }
}

function readEvent(source: SourceValue, problems: Problem[]) {
  const { value } = source
  if (!isJsonObject(value) || typeof value.type !== 'string') {
    problems.push(skippedMessageProblem({ source, path: [], value }))
    return []
  }
  const { data, agentId, timestamp } = value
  if (!isJsonObject(data)) {
    const expected = 'data_of_event_object'
    if (Object.hasOwn(ROLES.copilotCli, value.type))
      problems.push(wrongTypeProblem(source, ['data'], data, expected))
    return []
  }
  // Older files name the call that started a subagent.
  const agent = nonEmptyString(agentId) ?? nonEmptyString(data.parentToolCallId)
  return [{ source, type: value.type, data, agent, at: readTime(timestamp) }]
}

/** Messages in the context of one agent, up to a compaction. */
function contextAt({ line }: SourceValue, agent: string | undefined, isReset: boolean) {
  const label = agent === undefined ? 'session' : 'subagent'
  return {
    label: labelAt(label, line, isReset, agent !== undefined),
    isSecondary: agent !== undefined,
    followsCompaction: isReset,
    placed: [] as [MessagePiece, ...MessagePiece[]][],
    model: undefined as string | undefined,
    /** Of the last message, if that is an answer. */
    callOfAnswer: undefined as unknown,
  }
}

function readMessage(body: MessageBody, data: JsonObject, role: string): void {
  // The model receives `transformedContent` instead of `content`.
  const key = ['transformedContent', 'content', 'summaryContent', 'initialMessage'].find(
    (member) => typeof data[member] === 'string',
  )
  if (key !== undefined) body.contents.push(...memberText(data, key))
  // An answer may be calls alone, and a cleared context may begin without a message.
  else if (data.content !== null && data.messagesCleared === undefined)
    body.report(['content'], data.content, 'text')
  if (role !== 'assistant') return
  body.reasoning.push(...memberText(data, 'reasoningText'))
  const { toolRequests = [] } = data
  if (!Array.isArray(toolRequests)) body.report(['toolRequests'], toolRequests, 'list_of_calls')
  body.eachObject(toolRequests, ['toolRequests'], 'call_with_tool_call_id', (request, path) =>
    body.addCall(request, path, ['toolCallId', 'name', 'arguments']),
  )
}

function readResult(body: MessageBody, { toolCallId: callId, success, result, error }: JsonObject) {
  body.requireId(callId, ['toolCallId'], 'id_of_a_call')
  const [path, owner] =
    isJsonObject(result) || success !== false
      ? [['result', 'content'] as const, membersOf(result)]
      : [['error', 'message'] as const, membersOf(error)]
  body.nonTextParts += itemsOf(owner.binaryResultsForLlm).length
  body.addTextResult(callId, owner[path[1]], path, success === false)
}
