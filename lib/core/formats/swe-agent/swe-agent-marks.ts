/** Recognises .traj files of SWE-agent, and message lists of SWE-agent and mini-swe-agent. */
import {
  isJsonObject,
  type JsonObject,
  type JsonPath,
  membersOf,
  scalarText,
} from '../../text/json-object'
import type { ListItem, MessageList, MessageListKind } from '../reading/message-lists'
import type { SourceDocument, SourceValue } from '../reading/source-document'
import { bashBlocks, isOutputItem, isResponse } from './swe-agent-messages'

/** An object with the keys of a .traj, and its position. */
export type SweTrajectory = ListItem<JsonObject>

export const SWE_MESSAGES: MessageListKind = {
  isMessage: (value) =>
    (isJsonObject(value) && typeof value.role === 'string') ||
    isResponse(value) ||
    isOutputItem(value),
  hasFormatMarks: (messages, owner) =>
    messages.some(hasMessageMarks) || hasBashBlocks(messages, owner),
}

function hasMessageMarks(message: unknown): boolean {
  const {
    tool_call_ids: ids,
    action,
    agent,
    thought,
    message_type: type,
    extra,
  } = membersOf(message)
  if (Array.isArray(ids)) return true
  if (typeof agent === 'string' && typeof type === 'string') return true
  if (typeof action === 'string' && typeof (thought ?? agent) === 'string') return true
  return (
    isJsonObject(extra) && (Array.isArray(extra.actions) || typeof extra.raw_output === 'string')
  )
}

/** The command that ends a run; every prompt of mini-swe-agent mentions it. */
const LAST_COMMAND = /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT/

/** True when bash blocks are the calls of a list. Results are not considered, because they may be masked. */
export function hasBashBlocks(messages: readonly unknown[], owner: MessageList['owner']): boolean {
  const { trajectory_format: format } = owner ?? {}
  if (typeof format === 'string' && format.startsWith('mini-swe-agent')) return true
  const firstAnswer = messages.findIndex(
    (message) => isJsonObject(message) && message.role === 'assistant',
  )
  const isPrompted = messages
    .slice(0, Math.max(0, firstAnswer))
    .some(
      (message) =>
        isJsonObject(message) &&
        typeof message.content === 'string' &&
        LAST_COMMAND.test(message.content),
    )
  return isPrompted && messages.some(hasBlock)
}

function hasBlock(message: unknown): boolean {
  return (
    isJsonObject(message) && message.role === 'assistant' && bashBlocks(message.content).length > 0
  )
}

function blockMark(message: unknown): string {
  const content = scalarText(membersOf(message).content)
  return content.includes('mswea_bash_command') ? 'mswea_bash_command' : '```bash'
}

const LIST_MARKS = ['tool_call_ids', 'message_type', 'action', 'extra']

/** Keys and block openings that occur in message lists and are typical of the two agents. */
export function marksOf(lists: readonly MessageList[]): string[] {
  const marks = new Set<string>()
  for (const { items, owner } of lists) {
    if (owner !== undefined && Object.hasOwn(owner, 'trajectory_format')) {
      marks.add('trajectory_format')
    }
    for (const { value } of items) {
      for (const mark of LIST_MARKS) {
        if (isJsonObject(value) && Object.hasOwn(value, mark)) marks.add(mark)
      }
      if (hasBlock(value)) marks.add(blockMark(value))
    }
  }
  return [...marks]
}

/** Finds the outermost objects that are trajectories, and in each of them the trajectories of its `attempts`. */
export function findTrajectories(document: SourceDocument): SweTrajectory[] {
  const found: SweTrajectory[] = []
  const visit = (value: unknown, source: SourceValue, path: JsonPath): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, source, [...path, index])
    } else if (isJsonObject(value)) {
      if (isTrajectory(value)) {
        found.push({ source, path, value })
        visit(value.attempts, source, [...path, 'attempts'])
      } else
        for (const [key, member] of Object.entries(value)) visit(member, source, [...path, key])
    }
  }
  for (const source of document.values) visit(source.value, source, [])
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
