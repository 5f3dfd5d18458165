/**
 * Run states of the OpenAI Agents SDK (`RunState`, as a run is stored that waits for an approval), in Python and JavaScript:
 * https://github.com/openai/openai-agents-python/blob/main/src/agents/run_state.py
 * https://github.com/openai/openai-agents-js/blob/main/packages/agents-core/src/runState.ts
 * A conversation is the original input and the generated items, items of the Responses API; JavaScript writes other names,
 * and a text as an object. A turn, a call and a result are those of `openai-responses`. A `program` that the provider ran
 * is a call too; its output is a result that is not text: what the provider ran stays unchanged.
 * Duplicates: strings of an item's `output` that repeat its result, and results anywhere else in the state.
 * Usage: of each response, if there are as many as answers; otherwise the total of the run.
 * Ignored: items that wait for an approval, which are calls listed again. A state has no system prompt, model or tools.
 */

import type { ReadConversation } from '../../conversation/conversation'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import { memberOf } from '../gemini/gemini-parts'
import { createItemReader, readRunItem, textMessage } from '../openai/response-item'
import type { MessagePiece, MessagePieces } from '../reading/conversation'
import { buildConversation, joinAnswerPieces } from '../reading/conversation'
import { type Format, requireConversations } from '../reading/format'
import { readItems } from '../reading/list-format'
import { expectItemsAt, findKeys, type ListItem, skippedMessageProblem } from '../reading/lists'
import { readUsage } from '../reading/read-usage'
import { lineOrPath } from '../reading/report'
import type { SourceValue } from '../reading/source-document'

export const agentsSdk: Format<'agents-sdk'> = {
  id: 'agents-sdk',
  label: 'Agents SDK run state',
  expects: 'an object with a "$schemaVersion" and "generated_items"',
  recognise: (source) => {
    const states = source.values.filter(({ value }) => isState(value))
    if (states.length === 0 || states.length * 2 < source.values.length) return null
    const names = ['generated_items', 'generatedItems', 'model_responses', 'modelResponses']
    const marks = ['$schemaVersion', ...findKeys(source, names)]
    return { shape: 'session', lists: states.length, marks }
  },
  read: ({ values }) => {
    const problems: Problem[] = []
    const conversations = values.flatMap((source) => {
      const { value } = source
      if (isState(value)) return [readState(value, source, problems)]
      problems.push(skippedMessageProblem({ source, path: [], value }))
      return []
    })
    const filled = conversations.filter(({ messages }) => messages.length > 0)
    return requireConversations({ conversations: filled, problems })
  },
}

function isState(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || typeof value.$schemaVersion !== 'string') return false
  return memberOf(value, 'generatedItems') !== undefined
}

function readState(state: JsonObject, source: SourceValue, problems: Problem[]): ReadConversation {
  const readItem = createItemReader()
  const piecesOf = (items: readonly ListItem[]): MessagePiece[] =>
    readItems(items, problems, (value, place, report) => {
      const raw = readRunItem(value, readItem, report)
      return raw && [[{ raw, ...place }]]
    }).flat()
  // The names in JavaScript; Python writes them in snake case.
  const input = memberOf(state, 'originalInput')
  const before: MessagePieces[] =
    typeof input?.value === 'string'
      ? [[{ raw: textMessage('user', input.value, input.key), source, path: [] }]]
      : joinAnswerPieces(piecesOf(listOf(input, source, problems)))
  const generated = listOf(memberOf(state, 'generatedItems'), source, problems)
  const run = joinAnswerPieces(piecesOf(rawItemsOf(generated)))
  const responses = itemsOf(memberOf(state, 'modelResponses')?.value)
  const usages = responses.map((response) => readUsage(membersOf(response).usage, 'responses'))
  const answers = run.filter(([{ raw }]) => raw.isAssistant)
  const isEach = usages.length === answers.length
  const { usage } = membersOf(state.context)
  const total = isEach ? undefined : readUsage(usage, 'responses')
  const { requests: stated } = membersOf(usage)
  const requests = typeof stated === 'number' ? stated : undefined
  return buildConversation(
    [
      ...before,
      ...run.map((pieces): MessagePieces => {
        const [first, ...rest] = pieces
        const own = isEach ? usages[answers.indexOf(pieces)] : undefined
        return [{ ...first, raw: { ...first.raw, usage: own } }, ...rest]
      }),
    ],
    {
      label: source.line === undefined ? 'run' : lineOrPath(source, []),
      usageTotal: total && { ...total, requests },
    },
  )
}

/** The items of a list in a state; none where it is absent. */
function listOf(found: ReturnType<typeof memberOf>, source: SourceValue, problems: Problem[]) {
  if (found === undefined) return []
  return expectItemsAt(source, [found.key], found.value, 'list_of_items', problems)
}

/** The raw items of generated items; one without stays, so that it is reported. */
function rawItemsOf(items: readonly ListItem[]): ListItem[] {
  return items.flatMap((item) => {
    const { source, path, value } = item
    if (!isJsonObject(value)) return [item]
    if (value.type === 'tool_approval_item') return []
    const raw = memberOf(value, 'rawItem')
    return [raw === undefined ? item : { source, path: [...path, raw.key], value: raw.value }]
  })
}
