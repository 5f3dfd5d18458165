/**
 * Trajectories of SWE-agent (.traj, https://swe-agent.com/latest/usage/trajectories/), message lists cut from them, and
 * trajectories of mini-swe-agent (https://mini-swe-agent.com/latest/usage/output_files/).
 *
 * Turn: an assistant message with `tool_calls`; or, in models without tool calls, one with an action: SWE-agent's
 * `action`, or mini-swe-agent's only bash block.
 * Call: a tool call. An action has no id and receives one: the second `open` is `open-2`. The first word of an action is
 * its tool name; a bash block is a call of `bash`. The action is part of the message's text and is not counted twice.
 * Result: a message with role `tool`, linked by the first of its `tool_call_ids` or by `tool_call_id`; or the user
 * message after an action. `extra.exception_info` flags an error.
 * Non-text result: a list of text parts has the shape `text_parts`; a list with other parts cannot be masked.
 * Responses API: mini-swe-agent then lists each answer and each `function_call_output` among the messages.
 *
 * The conversation of a .traj is its `history`; without one the longest `query`, or else the steps. Each of its
 * `attempts` is a conversation too. Steps repeat results in `observation` and `query`, messages in `extra.raw_output`:
 * these are duplicates.
 * Of `info`, only `model_stats` are read: the usage of the run.
 * Ignored: `state`, observations that SWE-agent shortened in a query, and results in demonstrations.
 */

import type { ReadConversation, UsageTotal } from '../../conversation/conversation'
import type { Problem } from '../../problem'
import type { JsonObject } from '../../text/json'
import { isJsonObject, itemsOf, membersOf, parseJson, scalarText } from '../../text/json'
import { type JsonPath, visitValues } from '../../text/json-path'
import { buildConversation } from '../reading/conversation'
import type { Format } from '../reading/format'
import { readItems } from '../reading/list-format'
import type { ListItem, MessageList, MessageListKind } from '../reading/lists'
import { findMessageLists, itemsAt, skippedMessageProblem } from '../reading/lists'
import { numberAt, readUsage } from '../reading/read-usage'
import { lineAndPath, wrongTypeProblem } from '../reading/report'
import type { SourceDocument } from '../reading/source-document'
import {
  bashBlocks,
  createSweReader,
  isOutputItem,
  isResponse,
  readSweResponses,
  readSweStep,
  reportWrongFields,
} from './swe-agent-messages'

export const sweAgent: Format<'swe-agent'> = {
  id: 'swe-agent',
  label: 'SWE-agent',
  expects:
    'a .traj with "trajectory" and "history", or a list of messages with "tool_call_ids", "action" or bash blocks',
  recognise: (source) => {
    const trajectories = findTrajectories(source)
    if (trajectories.length > 0) {
      const marks = ['trajectory', 'history', 'action', 'observation']
      return { shape: 'session', lists: trajectories.length, marks }
    }
    const { shape, lists } = findMessageLists(source, SWE_MESSAGES)
    return lists.length === 0 ? null : { shape, lists: lists.length, marks: marksOf(lists) }
  },
  read: (source) => {
    const trajectories = findTrajectories(source)
    const problems: Problem[] = []
    const conversations =
      trajectories.length > 0
        ? trajectories.map((trajectory) => readTrajectory(trajectory, problems))
        : findMessageLists(source, SWE_MESSAGES).lists.map((list) => readList(list, problems))
    return { conversations, problems }
  },
}

/** The message list of a .traj, and the first step that the list does not include. */
function messagesOf({ path, value }: SweTrajectory, steps: readonly unknown[]) {
  const { history } = value
  if (Array.isArray(history)) {
    const list: readonly unknown[] = history
    return { path: [...path, 'history'], list, nextStep: steps.length }
  }
  const last = steps.length - 1
  const step = steps[last]
  for (const key of ['messages', 'query'] as const) {
    const list = membersOf(step)[key]
    if (!Array.isArray(list)) continue
    // `messages` includes the outcome of its step, `query` only the messages before it.
    const nextStep = key === 'messages' ? steps.length : last
    const at = [...path, 'trajectory', last, key]
    return { path: at, list, nextStep }
  }
  return { path: [...path, 'trajectory'], list: [], nextStep: 0 }
}

function readTrajectory(trajectory: SweTrajectory, problems: Problem[]): ReadConversation {
  const { source, path, value } = trajectory
  for (const [key, expected] of [
    ['trajectory', 'list_of_steps'],
    ['history', 'list_of_messages'],
  ] as const) {
    if (value[key] === undefined || Array.isArray(value[key])) continue
    problems.push(wrongTypeProblem(source, [...path, key], value[key], expected))
  }
  const steps = itemsOf(value.trajectory)
  const stepsPath = [...path, 'trajectory']
  const messages = messagesOf(trajectory, steps)
  const readMessage = createSweReader(false)
  const items = itemsAt(source, messages.path, messages.list)
  const placed = readMessages(items, readMessage, problems)
  for (const [index, item] of itemsAt(source, stepsPath, steps).entries()) {
    if (!isJsonObject(item.value)) problems.push(skippedMessageProblem(item))
    else if (index >= messages.nextStep)
      for (const raw of readSweStep(item.value, readMessage))
        placed.push([{ raw, source, path: item.path }])
  }
  const label = lineAndPath(source, messages.path)
  return buildConversation(placed, { label, model: modelOf(value), usageTotal: totalsOf(value) })
}

function readList({ label, items, owner }: MessageList, problems: Problem[]): ReadConversation {
  const values = items.map(({ value }) => value)
  const details = { label, model: modelOf(owner), usageTotal: totalsOf(owner) }
  if (values.some(isResponse)) return buildConversation(readSweResponses(items, problems), details)
  const readMessage = createSweReader(hasBashBlocks(values, owner))
  return buildConversation(readMessages(items, readMessage, problems), details)
}

/** Reads each item; one that is not a message is a problem. */
function readMessages(
  items: readonly ListItem[],
  read: ReturnType<typeof createSweReader>,
  problems: Problem[],
) {
  return readItems(items, problems, (value, place, report) => {
    const raw = read(value)
    if (raw !== undefined) reportWrongFields(value, report)
    return raw && [[{ raw, ...place }]]
  })
}

/** What the run used, in its `info.model_stats`. */
function totalsOf(owner: unknown): UsageTotal | undefined {
  const { model_stats: stats } = membersOf(membersOf(owner).info)
  const usage = readUsage(stats, 'sweAgent')
  return usage && { ...usage, requests: numberAt(membersOf(stats), 'api_calls') }
}

const MODEL_PATHS: readonly JsonPath[] = [
  ['info', 'config', 'model', 'model_name'],
  ['replay_config', 'agent', 'model', 'name'],
  // A row of SWE-smith.
  ['model'],
]

/** The model in the settings of a run, which SWE-agent writes as JSON in a string. */
function modelOf(owner: unknown): string | undefined {
  for (const path of MODEL_PATHS) {
    let found = owner
    for (const step of path) {
      const value = typeof found === 'string' ? parseJson(found) : found
      found = membersOf(value)[step]
    }
    if (typeof found === 'string') return found
  }
  return undefined
}

/** An object with the keys of a .traj, and its position. */
type SweTrajectory = ListItem<JsonObject>

const SWE_MESSAGES: MessageListKind = {
  isMessage: (value) =>
    (isJsonObject(value) && typeof value.role === 'string') ||
    isResponse(value) ||
    isOutputItem(value),
  hasFormatMarks: (messages, owner) =>
    messages.some(hasMessageMarks) || hasBashBlocks(messages, owner),
}

function hasMessageMarks(message: unknown): boolean {
  const { action, agent, thought, message_type: type, extra, ...others } = membersOf(message)
  if (Array.isArray(others.tool_call_ids)) return true
  if (typeof agent === 'string' && typeof type === 'string') return true
  if (typeof action === 'string' && typeof (thought ?? agent) === 'string') return true
  return (
    isJsonObject(extra) && (Array.isArray(extra.actions) || typeof extra.raw_output === 'string')
  )
}

/** The command that ends a run; every prompt of mini-swe-agent mentions it. */
const LAST_COMMAND = /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT/

/** True when bash blocks are the calls of a list. Results are not considered, because they may be masked. */
function hasBashBlocks(messages: readonly unknown[], owner: MessageList['owner']): boolean {
  const { trajectory_format: format } = owner ?? {}
  if (typeof format === 'string' && format.startsWith('mini-swe-agent')) return true
  const firstAnswer = messages.findIndex((message) => membersOf(message).role === 'assistant')
  const isPrompted = messages
    .slice(0, Math.max(0, firstAnswer))
    .some((message) => LAST_COMMAND.test(scalarText(membersOf(message).content)))
  return isPrompted && messages.some(hasBlock)
}

function hasBlock(message: unknown): boolean {
  const { role, content } = membersOf(message)
  return role === 'assistant' && bashBlocks(content).length > 0
}

function blockMark(message: unknown): string {
  const content = scalarText(membersOf(message).content)
  return content.includes('mswea_bash_command') ? 'mswea_bash_command' : '```bash'
}

const LIST_MARKS = ['tool_call_ids', 'message_type', 'action', 'extra']

/** Keys and block openings that occur in message lists and are typical of the two agents. */
function marksOf(lists: readonly MessageList[]): string[] {
  const marks = lists.flatMap(({ items, owner = {} }) => [
    ...(Object.hasOwn(owner, 'trajectory_format') ? ['trajectory_format'] : []),
    ...items.flatMap(({ value }) => [
      ...LIST_MARKS.filter((mark) => Object.hasOwn(membersOf(value), mark)),
      ...(hasBlock(value) ? [blockMark(value)] : []),
    ]),
  ])
  return [...new Set(marks)]
}

/** Finds the outermost objects that are trajectories, and in each of them the trajectories of its `attempts`. */
function findTrajectories(document: SourceDocument): SweTrajectory[] {
  const found: SweTrajectory[] = []
  for (const source of document.values) {
    const visit = (value: unknown, path: JsonPath): boolean => {
      if (!isJsonObject(value) || !isTrajectory(value)) return false
      found.push({ source, path, value })
      visitValues(value.attempts, [...path, 'attempts'], visit)
      return true
    }
    visitValues(source.value, [], visit)
  }
  return found
}

function isTrajectory({ trajectory, history }: JsonObject): boolean {
  if (trajectory === undefined) return false
  if (Array.isArray(history) && history.some(hasMessageMarks)) return true
  return Array.isArray(trajectory) && trajectory.some(isStep)
}

function isStep(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value.action !== 'string') return false
  return Object.hasOwn(value, 'observation') && Object.hasOwn(value, 'response')
}
