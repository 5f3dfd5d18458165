/**
 * Trajectories in ATIF, as Harbor and other harnesses write them, versions 1.0 to 1.7:
 * https://github.com/harbor-framework/harbor/blob/main/rfcs/0001-trajectory-format.md
 * Each list of `steps` is a conversation; `subagent_trajectories` are secondary ones. A step is a message, followed by one
 * for each of its observations. A turn is a step of the agent with a call that has an id.
 * A result is an observation with a `source_call_id`; another one is text of the environment. Images and references to
 * subagents stay. Masking leaves `…` in further text parts.
 * Steps with `is_copied_context` repeat the trajectory before a compaction and were sent, so they are read.
 * Duplicates: strings that repeat a result in its `extra`, or in the `extra` of any step, such as a logged `llm_request`.
 * Usage is that of each step, and of the trajectory where no step states one.
 * It is longer than most readers because a step holds its message, calls and results, and subagents are trajectories.
 */
import { argumentsText } from '../../conversation/chat-message'
import type { ReadConversation } from '../../conversation/conversation'
import { nonEmptyString, type RawMessage, type RawText } from '../../conversation/link-messages'
import { readTime } from '../../conversation/read-time'
import type { Problem } from '../../problem'
import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonPath,
  membersOf,
  ownMember,
  type Unchecked,
} from '../../text/json-object'
import { buildConversation, type MessagePieces } from '../reading/build-conversation'
import { DuplicateFinder } from '../reading/duplicate-finder'
import { findKeys } from '../reading/find-keys'
import { findRepeats } from '../reading/find-repeats'
import type { Format } from '../reading/format'
import {
  findMessageLists,
  type ListItem,
  type MessageList,
  type MessageListKind,
  skippedMessageProblem,
} from '../reading/message-lists'
import {
  EMPTY_PART_TEXT,
  emptyBody,
  type MessageBody,
  rawMessage,
  textBlocks,
  withoutEmptyParts,
} from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { type ReportWrongType, reportWrongTypesTo } from '../reading/wrong-type-problem'

interface Trajectory {
  readonly agent?: { readonly model_name?: string; readonly tool_definitions?: readonly object[] }
  readonly final_metrics?: object
}

interface Step {
  readonly source: 'system' | 'user' | 'agent'
  readonly message?: string | readonly object[]
  readonly reasoning_content?: string
  readonly timestamp?: string
  readonly model_name?: string
  readonly tool_calls?: readonly Call[] | null
  readonly observation?: { readonly results: readonly Observation[] } | null
  readonly metrics?: object
}

interface Call {
  readonly tool_call_id: string
  readonly function_name: string
  readonly arguments: object
}

interface Observation {
  readonly source_call_id?: string | null
  readonly content?: string | readonly object[] | null
}

const ROLES: Readonly<Record<string, string>> = {
  system: 'system',
  user: 'user',
  agent: 'assistant',
}

const ATIF_STEPS: MessageListKind = {
  isMessage: (value) =>
    isJsonObject(value) && value.step_id !== undefined && roleOf(value.source) !== undefined,
  hasFormatMarks: (_, owner) => owner !== undefined,
}

export const atif: Format = {
  id: 'atif',
  label: 'ATIF trajectory',
  expects: 'expects_atif',
  recognise: (source) => {
    const { lists } = findMessageLists(source, ATIF_STEPS)
    if (lists.length === 0) return null
    const marks = ['schema_version', 'step_id', 'tool_calls', 'observation']
    return { shape: 'session', lists: lists.length, marks: findKeys(source, marks) }
  },
  read: (source) => {
    const problems: Problem[] = []
    const { lists } = findMessageLists(source, ATIF_STEPS)
    const read = lists.map((list) => readList(list, problems))
    // A logged request repeats the results of all steps before it.
    const duplicates = new DuplicateFinder(source.text, read)
    for (const { source: from, path } of lists.flatMap(({ items }) => items))
      duplicates.search(from, [...path, 'extra'])
    return { conversations: duplicates.conversations(), problems }
  },
}

function roleOf(source: unknown): string | undefined {
  return typeof source === 'string' ? ownMember(ROLES, source) : undefined
}

function readList(
  { label, items, owner = {} }: MessageList,
  problems: Problem[],
): ReadConversation {
  const placed: MessagePieces[] = []
  const { agent, final_metrics }: Unchecked<Trajectory> = owner
  let model = nonEmptyString(membersOf(agent).model_name)
  for (const item of items) {
    const role = roleOf(membersOf(item.value).source)
    if (role === undefined) {
      problems.push(skippedMessageProblem(item))
      continue
    }
    model ??= nonEmptyString(membersOf(item.value).model_name)
    placed.push(...readStep(item, role, problems))
  }
  const tools = membersOf(agent).tool_definitions
  const hasUsage = placed.some(([{ raw }]) => raw.usage !== undefined)
  const total = hasUsage ? undefined : readUsage(final_metrics, 'atif', { model })
  return buildConversation(placed, {
    label,
    model,
    toolSchemas: Array.isArray(tools) ? JSON.stringify(tools) : '',
    isSecondary: /subagent_trajectories/.test(JSON.stringify(label)),
    usageTotal: total && { ...total, requests: undefined },
  })
}

function readStep(
  { source, path, value }: ListItem,
  role: string,
  problems: Problem[],
): MessagePieces[] {
  const step: Unchecked<Step> & JsonObject = membersOf(value)
  const report = reportWrongTypesTo(problems, source, path)
  const writtenAt = readTime(step.timestamp)
  const said = { ...readMessage(step, role, report), writtenAt }
  const { observation } = step
  const results = membersOf(observation).results
  if (isJsonObject(observation) && !Array.isArray(results))
    report(['observation', 'results'], results, 'list_of_results')
  const done = itemsOf(results).map((result, index) => {
    const below = ['observation', 'results', index]
    const reportBelow = reportWrongTypesTo(problems, source, [...path, ...below])
    const raw = { ...readObservation(result, reportBelow), writtenAt }
    return { source, path: [...path, ...below], raw }
  })
  const pieces = done.map((piece): MessagePieces => {
    const texts = piece.raw.results.map((result) => result.texts)
    return [{ ...piece, duplicates: findRepeats(piece, [['extra']], texts) }]
  })
  const isSaid =
    said.contents.length + said.calls.length + said.reasoning.length + said.nonTextParts > 0
  return [
    ...(isSaid || pieces.length === 0 ? [[{ source, path, raw: said }] as const] : []),
    ...pieces,
  ]
}

function readMessage(step: Unchecked<Step>, role: string, report: ReportWrongType): RawMessage {
  const body = emptyBody()
  const texts = textsOf(body, step.message, ['message'], report)
  body.contents.push(...texts.filter(({ text }) => text !== ''))
  const { reasoning_content: reasoning, tool_calls: calls, metrics } = step
  if (typeof reasoning === 'string' && reasoning !== '')
    body.reasoning.push({ text: reasoning, path: ['reasoning_content'] })
  if (calls !== undefined && calls !== null && !Array.isArray(calls))
    report(['tool_calls'], calls, 'list_of_calls')
  for (const [index, value] of itemsOf(calls).entries()) {
    const call: Unchecked<Call> = membersOf(value)
    const path = ['tool_calls', index]
    const { tool_call_id: id, function_name: name, arguments: written } = call
    if (nonEmptyString(id) === undefined) report([...path, 'tool_call_id'], id, 'id')
    const place = written === undefined ? {} : { path: [...path, 'arguments'] }
    body.calls.push({ id, name, arguments: argumentsText(written), ...place })
  }
  const facts = { model: nonEmptyString(step.model_name), at: readTime(step.timestamp) }
  return { ...rawMessage(role, body), usage: readUsage(metrics, 'atif', facts) }
}

function readObservation(value: unknown, report: ReportWrongType): RawMessage {
  if (!isJsonObject(value)) report([], value, 'result_with_content')
  const { source_call_id: callId, content }: Unchecked<Observation> = membersOf(value)
  const body = emptyBody()
  const texts = textsOf(body, content, ['content'], report)
  if (nonEmptyString(callId) === undefined) {
    body.contents.push(...texts)
    return rawMessage('user', body)
  }
  body.results.push({
    callId,
    shape: texts.length > 0 ? 'text' : 'other',
    texts: withoutEmptyParts(texts),
    filler: EMPTY_PART_TEXT,
    isFlaggedError: false,
  })
  return rawMessage('tool', body)
}

/** The texts of a content, a string or a list of parts; counts the images. */
function textsOf(
  body: MessageBody,
  content: unknown,
  path: JsonPath,
  report: ReportWrongType,
): readonly RawText[] {
  if (typeof content === 'string') return [{ text: content, path }]
  if (content === undefined || content === null) return []
  if (!Array.isArray(content)) report(path, content, 'text_or_list_of_parts')
  const texts = textBlocks(content, path)
  body.nonTextParts += itemsOf(content).length - texts.length
  return texts
}
