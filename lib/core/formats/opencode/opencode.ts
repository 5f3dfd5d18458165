/**
 * Sessions of opencode: `opencode export`, and the list of messages of its server:
 * https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/session/message-v2.ts
 * A message of the assistant has one or more steps, each a request of its own. A turn is a step with `tool` parts; their
 * results are in the same parts and are read as a message of role `tool` after the step: the output, or the error.
 * Attachments stay. Of outputs that opencode itself cleared (`time.compacted`), later requests have a mark only.
 * A `compaction` part starts a conversation. Duplicates: strings of the part's `metadata` that repeat the result.
 * Ignored: parts that no model receives. There are no system prompt and no tool schemas.
 */

import { readTime, type Usage } from '../../conversation/conversation'
import { nonEmptyString } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import { valueAtPath } from '../../text/json-path'
import { phrase } from '../../words/words'
import type { MessagePiece, MessagePieces, SourcePath } from '../reading/conversation'
import { buildConversation } from '../reading/conversation'
import { listFormat, readItems } from '../reading/list-format'
import { findKeys } from '../reading/lists'
import { MessageBody, memberText, rawMessage } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { reportWrongTypesTo } from '../reading/report'

export const opencode = listFormat({
  id: 'opencode',
  label: 'opencode session',
  expects: 'a list of messages, objects with an "info" that has a "role" and a list of "parts"',
  kind: {
    isMessage: (value) =>
      isJsonObject(value) && isJsonObject(value.info) && Array.isArray(value.parts),
    hasFormatMarks: (messages) =>
      messages.some((message) => nonEmptyString(membersOf(membersOf(message).info).role)),
  },
  marks: (source) => findKeys(source, ['parts', 'callID', 'sessionID']),
  readList: ({ items, label }, problems) => {
    const contexts: MessagePieces[][] = [[]]
    let model: string | undefined
    readItems(items, problems, ({ info: found, parts }, place) => {
      const info = membersOf(found)
      const { role } = info
      if (!Array.isArray(parts) || typeof role !== 'string') return undefined
      if (role === 'assistant') model ??= nonEmptyString(info.modelID)
      if (role === 'user' && parts.some((part) => membersOf(part).type === 'compaction'))
        contexts.push([])
      contexts.at(-1)?.push(...readSteps(place, role, info, parts, problems))
      return []
    })
    return contexts
      .filter((placed, at) => at === 0 || placed.length > 0)
      .map((placed, at) =>
        buildConversation(placed, {
          clearedAt: clearedResults(placed),
          label: at === 0 ? label : phrase('after_compaction', { label, n: at }),
          model,
          followsCompaction: at > 0,
        }),
      )
  },
})

/** By call id: the index of the first message after opencode cleared its result. */
function clearedResults(placed: readonly MessagePieces[]): ReadonlyMap<unknown, number> {
  const cleared = new Map<unknown, number>()
  for (const { source, path } of placed.flat()) {
    const { type, callID, state } = membersOf(valueAtPath(source.value, path))
    const at = type === 'tool' ? readTime(membersOf(membersOf(state).time).compacted) : undefined
    if (at === undefined) continue
    const next = placed.findIndex(([{ raw }]) => (raw.writtenAt ?? 0) > at)
    cleared.set(callID, next === -1 ? placed.length : next)
  }
  return cleared
}

interface Step {
  /** One piece per part. */
  readonly said: MessagePiece[]
  readonly done: MessagePiece[]
  usage: Usage | undefined
}

/** Reads a message as the messages of its steps, each followed by one of its results. */
function readSteps(
  { source, path }: SourcePath,
  role: string,
  info: JsonObject,
  parts: readonly unknown[],
  problems: Problem[],
): MessagePieces[] {
  const writtenAt = readTime(membersOf(info.time).created)
  const steps: Step[] = []
  for (const [index, value] of parts.entries()) {
    const place = { source, path: [...path, 'parts', index] }
    const report = reportWrongTypesTo(problems, source, place.path)
    const part = membersOf(value)
    if (!isJsonObject(value)) report([], value, 'part_with_type')
    if (steps.length === 0 || part.type === 'step-start')
      steps.push({ said: [], done: [], usage: undefined })
    const step = steps.at(-1) as Step
    const [said, done] = [new MessageBody(report), new MessageBody(report)]
    if (part.type === 'step-finish') step.usage = usageOf(part, info)
    else if (part.type === 'tool') readTool(said, done, part)
    else readPart(said, part)
    if (!said.isEmpty) step.said.push({ ...place, raw: { ...rawMessage(role, said), writtenAt } })
    if (done.results.length === 0) continue
    step.done.push({ ...place, raw: { ...rawMessage('tool', done), writtenAt } })
  }
  const last = steps.at(-1)
  if (last !== undefined && steps.every(({ usage }) => usage === undefined))
    last.usage = usageOf(info, info)
  return steps.flatMap(({ said, done, usage }) => {
    const [first, ...rest] = said
    const answer = first && [{ ...first, raw: { ...first.raw, usage } }, ...rest]
    return [answer ?? [], done].filter((pieces): pieces is [MessagePiece] => pieces.length > 0)
  })
}

function usageOf({ tokens, cost }: JsonObject, { modelID, time }: JsonObject): Usage | undefined {
  const { cache, ...counts } = membersOf(tokens)
  return readUsage({ ...counts, ...membersOf(cache) }, 'opencode', {
    model: nonEmptyString(modelID),
    at: readTime(membersOf(time).created),
    // 0 for subscriptions.
    statedCost: typeof cost === 'number' && cost > 0 ? cost : undefined,
  })
}

function readPart(body: MessageBody, part: JsonObject): void {
  const { type, mime, ignored } = part
  const isShownAsText = mime === 'text/plain' || mime === 'application/x-directory'
  // What is ignored is shown, not sent.
  if (type === 'text' && ignored !== true) body.contents.push(...memberText(part, 'text'))
  else if (type === 'reasoning') body.reasoning.push(...memberText(part, 'text'))
  // Text files and folders are in a text part of their own.
  else if (type === 'file' && !isShownAsText) body.nonTextParts++
}

function readTool(said: MessageBody, done: MessageBody, { callID, tool, state }: JsonObject): void {
  const inner = membersOf(state)
  const { status, input } = inner
  said.requireId(callID, ['callID'], 'id')
  if (!isJsonObject(state)) said.report(['state'], state, 'state_of_call_object')
  said.addCall({ callID, tool, input }, ['state'], ['callID', 'tool', 'input'], null)
  if (status !== 'completed' && status !== 'error') return
  const member = status === 'error' ? 'error' : 'output'
  done.addTextResult(callID, inner[member], ['state', member], status === 'error')
  done.nonTextParts += itemsOf(inner.attachments).length
}
