/**
 * SWE-agent's .traj files (https://swe-agent.com/latest/usage/trajectories/), message lists cut from them, and the
 * trajectories of mini-swe-agent (https://mini-swe-agent.com/latest/usage/output_files/).
 * A turn is an assistant message with `tool_calls`, or, where the agent has no tool calls, with an action: SWE-agent's
 * `action`, or the one bash block of a message of mini-swe-agent. Such a call has no id and is given one, `open-2` for
 * the second `open`; SWE-agent's commands are its tools, mini-swe-agent has `bash`. It stands in the message's text.
 * A result is a message of role `tool`, tied by the first of its `tool_call_ids` (or by `tool_call_id`), or the user
 * message that follows such an action. Its text is the content; a list of text parts is `text_parts`.
 * `extra.exception_info` of mini-swe-agent flags an error.
 * Of its models of the Responses API, an answer's items and the `function_call_output` are call and result.
 * The conversation of a .traj is its `history`, each of its `attempts` one of its own; without a history the longest
 * `query`, or else the steps themselves. Every step repeats outputs, in `observation` and in all messages of its `query`:
 * those are twins, and so is `extra.raw_output`, since a file in which the same output stood ten more times would not be
 * masked. An observation that SWE-agent elided in a query, `state`, `info` and what demonstrations hold are left alone.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import type { Problem } from '../problem'
import { type JsonPath, readablePath } from '../text/json-pointer'
import { buildConversation, type PlacedMessage } from './build-conversation'
import type { Format } from './format'
import { findMessageLists, type ListItem, type MessageList, skippedItem } from './message-lists'
import {
  findTrajectories,
  hasBashBlocks,
  marksOf,
  SWE_MESSAGES,
  type Trajectory,
} from './swe-agent-marks'
import { createSweReader, readSweStep, type SweMessage, wrongSweFields } from './swe-agent-messages'
import { isResponse, readSweResponses } from './swe-agent-responses'
import { type OwnList, type TwinsOfEntry, twinsInSteps } from './swe-agent-twins'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

interface Reading {
  readonly conversation: ReadConversation
  readonly problems: readonly Problem[]
}

export const sweAgent: Format = {
  id: 'swe-agent',
  label: 'SWE-agent',
  expects:
    'a .traj with "trajectory" and "history", or a list of messages with "tool_call_ids", "action" or bash blocks',
  recognise: (source) => {
    const trajectories = findTrajectories(source)
    if (trajectories.length > 0) {
      const keys = ['trajectory', 'history', 'action', 'observation', 'tool_call_ids']
      return { shape: 'session', lists: trajectories.length, marks: keys.slice(0, 4) }
    }
    const { shape, lists } = findMessageLists(source, SWE_MESSAGES)
    return lists.length === 0 ? null : { shape, lists: lists.length, marks: marksOf(lists) }
  },
  read: (source) => {
    const trajectories = findTrajectories(source)
    const readings =
      trajectories.length > 0
        ? trajectories.map(readTrajectory)
        : findMessageLists(source, SWE_MESSAGES).lists.map(readList)
    return {
      conversations: readings.map(({ conversation }) => conversation),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

/** The messages a .traj holds, and the steps that go on from them. */
interface Held {
  readonly at: JsonPath
  readonly list: readonly unknown[]
  /** Where the list stands when a step holds it. */
  readonly own: OwnList | undefined
  readonly stepsFrom: number
}

function heldBy({ path, value }: Trajectory, steps: readonly unknown[]): Held {
  const { history } = value
  const last = steps.length - 1
  if (Array.isArray(history)) {
    return { at: [...path, 'history'], list: history, own: undefined, stepsFrom: steps.length }
  }
  const step = steps[last]
  for (const key of ['messages', 'query'] as const) {
    const list = isJsonObject(step) ? step[key] : undefined
    if (!Array.isArray(list)) continue
    // `messages` has what came of its step, `query` only what led to it.
    const stepsFrom = key === 'messages' ? steps.length : last
    return { at: [...path, 'trajectory', last, key], list, own: { step: last, key }, stepsFrom }
  }
  return { at: [...path, 'trajectory'], list: [], own: undefined, stepsFrom: 0 }
}

function readTrajectory(trajectory: Trajectory): Reading {
  const { source, path, value } = trajectory
  const problems: Problem[] = []
  for (const [key, expected] of [
    ['trajectory', 'a list of steps'],
    ['history', 'a list of messages'],
  ] as const) {
    if (value[key] === undefined || Array.isArray(value[key])) continue
    problems.push(wrongType(source, [...path, key], value[key], expected))
  }
  const steps: readonly unknown[] = Array.isArray(value.trajectory) ? value.trajectory : []
  const stepsAt = [...path, 'trajectory']
  const { at, list, own, stepsFrom } = heldBy(trajectory, steps)
  const read = createSweReader(false)
  const items = list.map((item, index) => ({ source, path: [...at, index], value: item }))
  const messages = readMessages(items, read)
  const twins = twinsInSteps({ source, path: stepsAt, steps, own }, messages.byItem.map(entryOf))
  const placed = placeMessages(items, messages.byItem, twins)
  problems.push(...messages.problems)
  for (const [index, step] of steps.entries()) {
    const item = { source, path: [...stepsAt, index], value: step }
    const isStep = isJsonObject(step)
    if (!isStep) problems.push(skippedItem(item))
    if (!isStep || index < stepsFrom) continue
    placed.push(
      ...readSweStep(step, read).map((raw): PlacedMessage => [{ raw, source, path: item.path }]),
    )
  }
  const line = source.line === undefined ? '' : `line ${source.line}, `
  const label = `${line}${readablePath(at)}`
  const frame = { label, model: modelIn(value), toolSchemas: '' }
  return { conversation: buildConversation(placed, frame), problems }
}

function readList({ label, items, owner }: MessageList): Reading {
  const values = items.map(({ value }) => value)
  const frame = { label, model: modelIn(owner), toolSchemas: '' }
  if (values.some(isResponse)) {
    const { placed, problems } = readSweResponses(items)
    return { conversation: buildConversation(placed, frame), problems }
  }
  const { byItem, problems } = readMessages(items, createSweReader(hasBashBlocks(values, owner)))
  return { conversation: buildConversation(placeMessages(items, byItem), frame), problems }
}

/** What each item is; undefined and a problem for what is no message. */
function readMessages(
  items: readonly ListItem[],
  read: (value: unknown) => SweMessage | undefined,
): { byItem: readonly (SweMessage | undefined)[]; problems: readonly Problem[] } {
  const problems: Problem[] = []
  const byItem = items.map((item) => {
    const message = read(item.value)
    if (message === undefined) problems.push(skippedItem(item))
    else problems.push(...wrongSweFields(item))
    return message
  })
  return { byItem, problems }
}

/** What steps can repeat of a message. */
function entryOf(message: SweMessage | undefined) {
  const [result] = message?.raw.results ?? []
  const [text, ...more] = result?.texts ?? []
  return { action: message?.action, resultText: more.length > 0 ? undefined : text?.text }
}

function placeMessages(
  items: readonly ListItem[],
  byItem: readonly (SweMessage | undefined)[],
  twinsOf: TwinsOfEntry = new Map(),
): PlacedMessage[] {
  return byItem.flatMap((message, index): PlacedMessage[] => {
    const item = items[index]
    if (message === undefined || item === undefined) return []
    const { source, path } = item
    const { raw, rawOutputAt } = message
    // What has no text of its own to mask has no twins.
    const hasText = raw.results.some(({ texts }) => texts.length > 0)
    const kept = rawOutputAt === undefined ? [] : [{ source, path: [...path, ...rawOutputAt] }]
    const twins = hasText ? [...kept, ...(twinsOf.get(index) ?? [])] : []
    return [[{ raw, source, path, twins: [twins] }]]
  })
}

const MODEL_PATHS: readonly JsonPath[] = [
  ['info', 'config', 'model', 'model_name'],
  ['replay_config', 'agent', 'model', 'name'],
]

function modelIn(owner: JsonObject | undefined): string | undefined {
  for (const path of MODEL_PATHS) {
    let found: unknown = owner
    for (const step of path) {
      const value = typeof found === 'string' ? parsed(found) : found
      found = isJsonObject(value) ? value[step] : undefined
    }
    if (typeof found === 'string') return found
  }
  return undefined
}

/** Settings of a run are written as JSON in a string. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
