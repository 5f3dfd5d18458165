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
 */

import { readTime } from '../../conversation/conversation'
import { nonEmptyString, type RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import type { JsonObject } from '../../text/json'
import { isJsonObject, itemsOf, membersOf, ownMember, scalarText } from '../../text/json'
import { buildConversation, type MessagePieces, type SourcePath } from '../reading/conversation'
import { listFormat, readItems } from '../reading/list-format'
import { findKeys } from '../reading/lists'
import type { TextsOfContent } from '../reading/raw-message'
import { MessageBody, memberText, rawMessage, textsOfContent } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { expectKind, type ReportWrongType, reportWrongTypesTo } from '../reading/report'
import ROLES from '../reading/roles.json' with { type: 'json' }

export const atif = listFormat({
  id: 'atif',
  label: 'ATIF trajectory',
  expects: 'a trajectory with a list of "steps" that have a "step_id" and a "source"',
  kind: {
    isMessage: (value) =>
      isJsonObject(value) && value.step_id !== undefined && roleOf(value.source) !== undefined,
    hasFormatMarks: (_, owner) => owner !== undefined,
  },
  shape: () => 'session',
  marks: (source) => findKeys(source, ['schema_version', 'step_id', 'tool_calls', 'observation']),
  readList: ({ label, items, owner = {} }, problems) => {
    const { agent, final_metrics } = owner
    let model = nonEmptyString(membersOf(agent).model_name)
    const placed = readItems(items, problems, (value, place) => {
      const role = roleOf(value.source)
      if (role === undefined) return undefined
      model ??= nonEmptyString(value.model_name)
      return readStep(value, place, role, problems)
    })
    const hasUsage = placed.some(([{ raw }]) => raw.usage !== undefined)
    return buildConversation(placed, {
      label,
      model,
      tools: membersOf(agent).tool_definitions,
      isSecondary: /subagent_trajectories/.test(JSON.stringify(label)),
      usageTotal: hasUsage ? undefined : readUsage(final_metrics, 'atif', { model }),
    })
  },
})

function roleOf(source: unknown): string | undefined {
  return ownMember<string>(ROLES.atif, scalarText(source))
}

function readStep(
  step: JsonObject,
  { source, path }: SourcePath,
  role: string,
  problems: Problem[],
): MessagePieces[] {
  const report = reportWrongTypesTo(problems, source, path)
  const writtenAt = readTime(step.timestamp)
  const said = readMessage(step, report)
  const facts = { model: nonEmptyString(step.model_name), at: writtenAt }
  const usage = readUsage(step.metrics, 'atif', facts)
  const { observation } = step
  const results = membersOf(observation).results
  if (isJsonObject(observation) && !Array.isArray(results))
    report(['observation', 'results'], results, 'list_of_results')
  const pieces = itemsOf(results).map((result, index): MessagePieces => {
    const place = { source, path: [...path, 'observation', 'results', index] }
    const raw = readObservation(result, reportWrongTypesTo(problems, source, place.path))
    return [{ ...place, raw: { ...raw, writtenAt } }]
  })
  if (said.isEmpty && pieces.length > 0) return pieces
  return [[{ source, path, raw: { ...rawMessage(role, said), writtenAt, usage } }], ...pieces]
}

function readMessage(step: JsonObject, report: ReportWrongType): MessageBody {
  const body = new MessageBody(report)
  const { texts, others } = readContent(report, step, 'message')
  body.contents.push(...texts.filter(({ text }) => text !== ''))
  body.nonTextParts += others
  body.reasoning.push(...memberText(step, 'reasoning_content'))
  expectKind(report, step, 'tool_calls', ['list', 'absent'], 'list_of_calls')
  for (const [index, call] of itemsOf(step.tool_calls).entries())
    body.addCall(membersOf(call), ['tool_calls', index], CALL_KEYS)
  return body
}

const CALL_KEYS = ['tool_call_id', 'function_name', 'arguments'] as const

function readObservation(value: unknown, report: ReportWrongType): RawMessage {
  if (!isJsonObject(value)) report([], value, 'result_with_content')
  const { source_call_id: callId } = membersOf(value)
  const body = new MessageBody(report)
  const { texts, others } = readContent(report, membersOf(value), 'content')
  if (nonEmptyString(callId) !== undefined) {
    body.addPartsResult(callId, { texts, others }, false)
    return rawMessage('tool', body)
  }
  body.contents.push(...texts)
  body.nonTextParts += others
  return rawMessage('user', body)
}

/** The texts of a content, a string or a list of parts, and the number of its images. */
function readContent(report: ReportWrongType, owner: JsonObject, key: string): TextsOfContent {
  expectKind(report, owner, key, ['text', 'list', 'absent'], 'text_or_list_of_parts')
  return textsOfContent(owner[key], [key])
}
