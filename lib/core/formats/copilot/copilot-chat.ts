/**
 * Chats of VS Code with GitHub Copilot: what *Chat: Export Chat…* writes, and files `chatSessions/*.json`:
 * https://github.com/microsoft/vscode/blob/main/src/vs/workbench/contrib/chat/common/model/chatModel.ts
 * https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/prompt/common/conversation.ts
 * Each request has the prompt as it was sent, the rounds of the answer and the results by the id of their call.
 * A turn is a round with calls; its results follow it. A result's text is its `value`, or the texts of a tree of
 * prompt-tsx; binary parts stay. A request without rounds is answered by its Markdown.
 * After the round that a summary ends with, a conversation begins with the summary. Duplicates: what the screen shows of a tool's output.
 * Usage is that of the last round of a request. The file has no system prompt and no tool schemas.
 * Ignored: all other parts of a response. The logs of changes in `chatSessions/*.jsonl` are not read.
 */

import { readTime } from '../../conversation/conversation'
import { nonEmptyString, type RawMessage, type RawText } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { phrase } from '../../words/words'
import type { MessagePiece, MessagePieces, SourcePath } from '../reading/conversation'
import { buildConversation } from '../reading/conversation'
import type { Format, FormatReading } from '../reading/format'
import { MessageBody, memberText, rawMessage, withoutEmptyTexts } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { type ReportWrongType, reportWrongTypesTo } from '../reading/report'
import type { SourceDocument, SourceValue } from '../reading/source-document'

export const copilotChat: Format<'copilot-chat'> = {
  id: 'copilot-chat',
  label: 'VS Code chat',
  expects: 'an object with a "responderUsername" and a list of "requests"',
  recognise: ({ values: [source, ...others] }) => {
    const value = membersOf(source?.value)
    const { requests } = value
    if (others.length > 0 || !Array.isArray(requests)) return null
    const marks = ['responderUsername', 'initialLocation'].filter((key) =>
      Object.hasOwn(value, key),
    )
    const isChat = requests.some(
      (request) => isJsonObject(request) && 'message' in request && 'response' in request,
    )
    return marks.length > 0 && isChat ? { shape: 'session', lists: 1, marks } : null
  },
  read: readChat,
}

function readChat({ values: [source] }: SourceDocument): FormatReading {
  const problems: Problem[] = []
  const from = source as SourceValue
  const report = reportWrongTypesTo(problems, from, [])
  const requests = itemsOf(membersOf(from.value).requests).flatMap((request, index) => {
    const path = ['requests', index]
    if (!isJsonObject(request)) {
      report(path, request, 'request_with_message')
      return []
    }
    const metadata: PlacedRequest['metadata'] = membersOf(membersOf(request.result).metadata)
    return [
      { source: from, path, request, metadata, report: reportWrongTypesTo(problems, from, path) },
    ]
  })
  const summaries = new Map(requests.flatMap(summaryOf))
  const contexts: MessagePieces[][] = [[]]
  for (const { path, ...message } of requests.flatMap(readRequest)) {
    contexts.at(-1)?.push([{ source: from, path, ...message }])
    const summary = summaries.get(message.lastOfRound)
    if (summary !== undefined) contexts.push([[{ source: from, ...summary }]])
  }
  const models = requests.flatMap(({ request, metadata }) => modelOf(request, metadata) ?? [])
  const conversations = contexts.map((placed, at) =>
    buildConversation(placed, {
      label: at === 0 ? 'chat' : phrase('chat_after_summary', { n: at }),
      model: models[0],
      followsCompaction: at > 0,
    }),
  )
  return { conversations: conversations.filter(({ messages }) => messages.length > 0), problems }
}

function modelOf({ modelId }: JsonObject, metadata: JsonObject): string | undefined {
  const name = nonEmptyString(metadata.resolvedModel) ?? nonEmptyString(modelId)
  return name?.replace(/^copilot\//, '')
}

/** The last summary of a request, by the id of the round that it ends with. */
function summaryOf({ path, metadata }: PlacedRequest): [unknown, Omit<MessagePiece, 'source'>][] {
  const { summaries } = metadata
  const last = itemsOf(summaries).length - 1
  const place = last < 0 ? ['summary'] : ['summaries', last]
  const summary = membersOf(last < 0 ? metadata.summary : itemsOf(summaries)[last])
  const contents = memberText(summary, 'text')
  if (contents.length === 0) return []
  const raw = rawMessage('user', { contents })
  return [[summary.toolCallRoundId, { path: [...path, ...METADATA, ...place], raw }]]
}

interface PlacedRequest extends SourcePath {
  readonly request: JsonObject
  readonly metadata: JsonObject
  readonly report: ReportWrongType
}

interface Message extends Omit<MessagePiece, 'source'> {
  /** The id of the round that ends with this message. */
  readonly lastOfRound?: unknown
}

const METADATA = ['result', 'metadata']
const ROUNDS = [...METADATA, 'toolCallRounds']
const RESULTS = [...METADATA, 'toolCallResults']

function readRequest({ path, request, metadata, report }: PlacedRequest): Message[] {
  const at = readTime(request.timestamp)
  const usage = readUsage(metadata, 'copilotChat', { at, model: modelOf(request, metadata) })
  const messages: Message[] = [readPrompt(request, metadata, report)]
  const { toolCallRounds: rounds = [], toolCallResults } = metadata
  // A result answers the first call with its id.
  const results = new Map(Object.entries(membersOf(toolCallResults)))
  if (!Array.isArray(rounds)) report(ROUNDS, rounds, 'list_of_rounds')
  const shown = itemTexts(request.response, 'value')
  const answer = rawMessage('assistant', { contents: shown })
  if (itemsOf(rounds).length === 0 && shown.length > 0)
    messages.push({ path: ['response'], raw: { ...answer, usage } })
  for (const [index, round] of itemsOf(rounds).entries()) {
    const here = [...ROUNDS, index]
    if (!isJsonObject(round)) {
      report(here, round, 'round_with_response_and_toolcalls')
      continue
    }
    const raw = readRound(round, (below, ...found) => report([...here, ...below], ...found))
    const isLast = index === itemsOf(rounds).length - 1
    messages.push({ path: here, raw: isLast ? { ...raw, usage } : raw })
    for (const { id } of raw.calls) {
      const result = results.get(scalarText(id))
      results.delete(scalarText(id))
      const place = [...RESULTS, scalarText(id)]
      if (result !== undefined)
        messages.push({ path: place, raw: readResult(id, result, place, report) })
    }
    const ended = messages.pop() as Message
    messages.push({ ...ended, lastOfRound: round.id })
  }
  return messages.map((message) => ({
    ...message,
    raw: { ...message.raw, writtenAt: at },
    path: [...path, ...message.path],
  }))
}

/** Reads the prompt with its context, as the model receives it, or else what was typed. */
function readPrompt(
  { message }: JsonObject,
  { renderedUserMessage }: JsonObject,
  report: ReportWrongType,
): Message {
  const rendered = itemTexts(renderedUserMessage, 'text')
  if (rendered.length > 0) {
    const path = [...METADATA, 'renderedUserMessage']
    return { path, raw: rawMessage('user', { contents: rendered }) }
  }
  const typed = typeof message === 'string' ? message : membersOf(message).text
  if (typeof typed !== 'string') report(['message'], message, 'text_or_with_text')
  const path = typed === message ? [] : ['text']
  const contents = typeof typed === 'string' && typed !== '' ? [{ text: typed, path }] : []
  return { path: ['message'], raw: rawMessage('user', { contents }) }
}

function readRound(round: JsonObject, report: ReportWrongType): RawMessage {
  const { toolCalls = [], thinking } = round
  const body = new MessageBody(report)
  if (typeof round.response !== 'string') report(['response'], round.response, 'text')
  body.contents.push(...memberText(round, 'response'))
  body.reasoning.push(...memberText(thinking, 'text', ['thinking']))
  if (!Array.isArray(toolCalls)) report(['toolCalls'], toolCalls, 'list_of_calls')
  for (const [index, call] of itemsOf(toolCalls).entries()) {
    const path = ['toolCalls', index]
    if (!isJsonObject(call)) report(path, call, 'call_with_id')
    const expected = isJsonObject(call) ? 'call_with_id' : null
    body.addCall(membersOf(call), path, ['id', 'name', 'arguments'], expected)
  }
  return rawMessage('assistant', body)
}

function readResult(callId: unknown, result: unknown, place: JsonPath, report: ReportWrongType) {
  const { content, hasError } = membersOf(result)
  if (!Array.isArray(content)) report([...place, 'content'], content, 'list_of_parts')
  const parts = itemsOf(content).map((part, index) =>
    treeTexts(membersOf(part).value, ['content', index, 'value']),
  )
  const body = new MessageBody(report)
  body.nonTextParts = parts.filter((found) => found.length === 0).length
  body.addResult(callId, withoutEmptyTexts(parts.flat()), hasError === true)
  return rawMessage('tool', body)
}

/** The texts of a value that is a text, or a tree of prompt-tsx whose leaves have a `text`. */
function treeTexts(value: unknown, path: JsonPath): RawText[] {
  if (typeof value === 'string') return [{ text: value, path }]
  const { node, text, children } = membersOf(value)
  if (node !== undefined) return treeTexts(node, [...path, 'node'])
  if (typeof text === 'string') return [{ text, path: [...path, 'text'] }]
  return itemsOf(children).flatMap((child, index) => treeTexts(child, [...path, 'children', index]))
}

/** The texts under `key` of the items in a list; response parts other than Markdown have a `kind`. */
function itemTexts(list: unknown, key: string): RawText[] {
  return itemsOf(list).flatMap((item, index) =>
    isJsonObject(item) && item.kind === undefined ? memberText(item, key, [index]) : [],
  )
}
