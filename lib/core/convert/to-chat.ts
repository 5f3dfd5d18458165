/**
 * Converts a conversation of any format to a body of chat completions:
 * https://platform.openai.com/docs/api-reference/chat/create
 * The body has the messages and the name of the model. Settings, tool schemas of other APIs, names of speakers, ids of
 * messages and times are left out.
 */
import type { Conversation, Message, ToolCall, ToolResult } from '../conversation/conversation'
import { groupByMessage } from '../conversation/conversation'
import { errorRulesOf } from '../conversation/error-rules'
import type { LinkedMessages } from '../conversation/link-messages'
import { embeddedJsonText, type JsonSpan, readValueAt } from '../text/embedded-json'
import { compactJson } from '../text/json'
import type { TextSlices } from '../text/span'
import { LOSS_KINDS, type LossKind } from './loss'
import { placeResults, type WrittenResult, writePlaceholder, writeResult } from './write-result'

/** Indented JSON, and content that changed, in the order of `LOSS_KINDS`; counts are at least 1. */
export type ChatBody = Readonly<ReturnType<typeof convertToChat>>

const CHAT_ROLES = new Set(['system', 'developer', 'user'])

/**
 * Writes a conversation as a body of chat completions. Reading it gives the same turns, calls and results, except for
 * `lost`. Every result is after its call. `placeholders` is by result, and undefined for results that are kept.
 */
export function convertToChat(
  source: TextSlices,
  conversation: Conversation,
  placeholders: readonly (string | undefined)[] = [],
) {
  const { messages, lost } = chatMessages(source, conversation, placeholders)
  const { model } = conversation
  const body = {
    ...(model !== undefined && { model }),
    messages: messages.map(({ timestamp: _, ...message }) => message),
  }
  return { text: `${JSON.stringify(body, null, 2)}\n`, lost }
}

/** Like `convertToChat`, but returns values. A message with a known time has it as `timestamp`, in milliseconds. */
export function chatMessages(
  source: TextSlices,
  conversation: Conversation,
  placeholders: readonly (string | undefined)[] = [],
) {
  const counts = new Map<LossKind, number>()
  const lose = (kind: LossKind, count = 1): void => {
    counts.set(kind, (counts.get(kind) ?? 0) + count)
  }
  const { messages, calls, results } = conversation
  const placed = placeResults(conversation)
  lose('moved_results', placed.moved)
  lose('orphan_results', placed.orphans)
  const unanswered = calls.filter(({ id, link }) => !placed.answered.has(id ?? link ?? ''))
  lose('unanswered_calls', unanswered.length)

  const idOf = standInIds(conversation)
  const callsOf = groupByMessage(calls)
  const resultsOf = groupByMessage(results)
  const written: Readonly<Record<string, unknown>>[] = []
  const timeOf = (index: number) => {
    const at = messages[index]?.writtenAt
    return at === undefined ? {} : { timestamp: at }
  }
  const writeOwn = (message: Message, index: number, texts: readonly string[]): void => {
    const asked = (callsOf.get(index) ?? []).map((call) => {
      if (call.id === undefined) lose('stand_in_ids')
      if (call.name === undefined) lose('stand_in_names')
      const { name = 'unknown', argumentsSpan: span } = call
      const asked = { name, arguments: span === undefined ? '' : textAt(source, span) }
      return { id: idOf(call), type: 'function', function: asked }
    })
    const hasResults = resultsOf.has(index)
    const hadMore = message.nonTextParts > 0 || message.reasoning.length > 0
    if (hadMore && !hasResults && asked.length === 0 && texts.every((text) => text === '')) {
      lose('emptied_messages')
      return
    }
    if (message.isAssistant) {
      const content = texts.length === 0 && asked.length > 0 ? null : contentOf(texts)
      written.push({
        role: 'assistant',
        content,
        ...(asked.length > 0 && { tool_calls: asked }),
        ...timeOf(index),
      })
    } else if (CHAT_ROLES.has(message.role) && (!hasResults || texts.length > 0)) {
      written.push({ role: message.role, content: contentOf(texts), ...timeOf(index) })
    } else if (!hasResults || texts.length > 0) {
      lose('other_roles')
      if (texts.some((text) => text !== '')) {
        written.push({ role: 'user', content: contentOf(texts), ...timeOf(index) })
      }
    }
  }
  const besides = messages.map((message, index) =>
    readBeside(source, message, resultsOf.get(index) ?? []),
  )
  const writeAnswer = (index: number): void => {
    const result = results[index] as ToolResult
    const placeholder = placeholders[index]
    const { callId, link } = result
    const isLinked = callId !== undefined || link !== undefined
    const { resultWithoutText, resultContent } = besides[result.message] as (typeof besides)[number]
    const read = writeResult(source, result, resultWithoutText === result ? resultContent : [])
    if (read.isValue && placeholder === undefined) lose('values')
    if (read.isJoined && placeholder === undefined) lose('joined_texts')
    if (result.shape === 'other') lose('non_text')
    if (messages[result.message]?.isAssistant) lose('server_tools')
    if (placeholder === undefined && !hasSameRules(read, result)) lose('error_marks')
    written.push({
      role: 'tool',
      ...(isLinked && { tool_call_id: idOf({ id: callId, link }) }),
      content: placeholder === undefined ? read.content : writePlaceholder(result, placeholder),
      ...timeOf(result.message),
    })
  }

  for (const [index, { texts }] of besides.entries()) {
    const message = messages[index] as Message
    if (message.nonTextParts > 0) lose('images', message.nonTextParts)
    if (message.reasoning.length > 0) lose('reasoning')
    // Text of a user in the same message comes after the results.
    const comesFirst = message.isAssistant || !resultsOf.has(index)
    if (comesFirst) writeOwn(message, index, texts)
    for (const result of placed.after.get(index) ?? []) writeAnswer(result)
    if (!comesFirst) writeOwn(message, index, texts)
  }
  return {
    messages: written,
    lost: LOSS_KINDS.flatMap((kind) => {
      const count = counts.get(kind) ?? 0
      return count === 0 ? [] : [{ kind, count }]
    }),
  }
}

/** The texts of a message that are not part of its results. */
function readBeside(source: TextSlices, message: Message, results: readonly ToolResult[]) {
  const values = results.flatMap(({ valueSpan }) => valueSpan ?? [])
  const texts = message.contents
    .filter((place) => !values.some(({ start, end }) => start <= place.start && place.end <= end))
    .map((place) => textAt(source, place))
  const resultWithoutText = message.isAssistant
    ? undefined
    : results.find(({ shape, valueSpan }) => shape === 'other' && valueSpan === undefined)
  return {
    /** Texts of the message itself. */
    texts: resultWithoutText === undefined ? texts : [],
    /** The result without text that the texts belong to, and these texts. */
    resultWithoutText,
    resultContent: texts,
  }
}

function contentOf(texts: readonly string[]): unknown {
  if (texts.length < 2) return texts[0] ?? ''
  return texts.map((text) => ({ type: 'text', text }))
}

/** Generates ids for calls without one. No other call or result has them; a call and its result get the same. */
function standInIds({ calls, results }: LinkedMessages) {
  const taken = new Set([...calls.map(({ id }) => id), ...results.map(({ callId }) => callId)])
  const idOfLink = new Map<number, string>()
  let made = 0
  return ({ id, link = -1 }: Pick<ToolCall, 'id' | 'link'>) => {
    const known = id ?? idOfLink.get(link)
    if (known !== undefined) return known
    do made++
    while (taken.has(`call_${made}`))
    if (link !== -1) idOfLink.set(link, `call_${made}`)
    return `call_${made}`
  }
}

/** The text of a string, or any other value as JSON text with its numbers unchanged. */
function textAt(source: TextSlices, place: JsonSpan): string {
  const written = embeddedJsonText(source, place)
  return written.startsWith('"') ? (readValueAt(source, place) as string) : compactJson(written)
}

function hasSameRules({ content }: WrittenResult, { errorRules }: ToolResult): boolean {
  const rules = new Set<string>(
    typeof content === 'string'
      ? errorRulesOf(content)
      : content.flatMap(({ text }) => errorRulesOf(text, true)),
  )
  return rules.size === errorRules.length && errorRules.every((rule) => rules.has(rule))
}
