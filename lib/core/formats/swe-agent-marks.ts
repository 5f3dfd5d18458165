/** By what a .traj of SWE-agent and the message lists of both agents are known. */
import { isJsonObject } from '../conversation/chat-message'
import type { JsonPath } from '../text/json-pointer'
import type { MessageKind, MessageList } from './message-lists'
import type { SourceDocument, SourceValue } from './source-document'
import { bashBlocks } from './swe-agent-messages'
import { isOutputItem, isResponse } from './swe-agent-responses'

type JsonObject = Readonly<Record<string, unknown>>

/** An object with the keys of a .traj. */
export interface Trajectory {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly value: JsonObject
}

export const SWE_MESSAGES: MessageKind = {
  isMessage: (value) =>
    (isJsonObject(value) && typeof value.role === 'string') ||
    isResponse(value) ||
    isOutputItem(value),
  isTelling: (messages, owner) => messages.some(isTelling) || hasBashBlocks(messages, owner),
}

function isTelling(message: unknown): boolean {
  if (!isJsonObject(message)) return false
  const { tool_call_ids: ids, action, agent, thought, message_type: type, extra } = message
  if (Array.isArray(ids)) return true
  if (typeof agent === 'string' && typeof type === 'string') return true
  if (typeof action === 'string' && typeof (thought ?? agent) === 'string') return true
  return (
    isJsonObject(extra) && (Array.isArray(extra.actions) || typeof extra.raw_output === 'string')
  )
}

/** Words every prompt of mini-swe-agent has: the command that ends a run. */
const LAST_COMMAND = /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT/

/** Whether the bash blocks of a list are its calls: results may be masked, so only what stays can tell. */
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

function blockMarkOf(message: unknown): string {
  const content = isJsonObject(message) ? String(message.content) : ''
  return content.includes('mswea_bash_command') ? 'mswea_bash_command' : '```bash'
}

const LIST_MARKS = ['tool_call_ids', 'message_type', 'action', 'extra']

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
      if (hasBlock(value)) marks.add(blockMarkOf(value))
    }
  }
  return [...marks]
}

/**
 * The outermost objects that hold steps, or a history beside a `trajectory`; where an agent tried several times, each of
 * its `attempts` too: the best stands outside once more.
 */
export function findTrajectories(document: SourceDocument): Trajectory[] {
  const found: Trajectory[] = []
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
  if (Array.isArray(history) && history.some(isTelling)) return true
  return Array.isArray(trajectory) && trajectory.some(isStep)
}

function isStep(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value.action !== 'string') return false
  return Object.hasOwn(value, 'observation') && Object.hasOwn(value, 'response')
}
