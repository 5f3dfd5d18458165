import type { ReadConversation } from '@/lib/core/conversation/conversation'
import { chatMessages } from '@/lib/core/convert/to-chat'
import { recogniseCopiedRequests } from '@/lib/core/formats/network/recognise-copied-requests'
import { type ReadDocument, readDocument } from '@/lib/core/formats/read-document'
import { checkRequest } from '@/lib/core/loop/check-request'
import type { StyleLanguage } from '@/lib/core/loop/loop-texts'
import type { NextRequest } from '@/lib/core/loop/next-request'
import { buildNextRequest, DEFAULT_HISTORY_MESSAGES } from '@/lib/core/loop/next-request'
import type { DatedMessage, RequestMessage } from '@/lib/core/loop/request'
import { plainTextOf, savedConversationKey, writeSavedConversation } from '@/lib/core/loop/request'
import { writeRequestLog } from '@/lib/core/loop/write-request'
import {
  countMessages,
  decideMessages,
  maskOldToolResults,
} from '@/lib/core/mask/mask-old-tool-results'
import { memoizeFor } from '@/lib/core/memoize-for'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { toolSchemasByName } from '@/lib/core/repair/check-arguments'
import { repairArguments } from '@/lib/core/repair/repair-arguments'
import { measureRepairs } from '@/lib/core/repair/repair-document'
import type { RepairOptions, RepairSettings } from '@/lib/core/repair/repair-limits'
import type { TextSlices } from '@/lib/core/text/span'

export interface RequestInput {
  /** Index in the document. */
  readonly conversation: number
  readonly policy: MaskPolicy
  readonly model: string
  /** That of the style message. */
  readonly language: StyleLanguage
}

export type BuiltNextRequest = NonNullable<ReturnType<ReturnType<typeof createRequestBuilder>>>

/** Returns a function that builds next requests on a document; it converts each conversation once. */
export function createRequestBuilder(
  { source, conversations }: ReadDocument<TextSlices>,
  countTokens: (text: string) => number,
) {
  const chatOf = (conversation: ReadConversation) =>
    memoizeFor(conversation, chatMessages, () => chatMessages(source.text, conversation))

  /** `now`, in milliseconds since 1970, is the time of messages that are not from the transcript. */
  return ({ conversation, policy, model, language }: RequestInput, now: number) => {
    const read = conversations[conversation]
    const chat = read && chatOf(read)
    const options = { style: '', language, historyMessages: DEFAULT_HISTORY_MESSAGES, model }
    const nextRequest = chat && buildNextRequest(chat.messages, [], options)
    if (chat === undefined || nextRequest === undefined) return undefined
    const { request, calls, history } = nextRequest
    const { messages } = request
    const masked = maskOldToolResults(messages, policy, countTokens)
    const schemas = request.tools === undefined ? '' : JSON.stringify(request.tools)
    return {
      calls,
      history,
      /** Parts that chat completions cannot express, or not exactly. */
      lost: chat.lost,
      /** The structure of the request as lines of text. */
      log: writeRequestLog(nextRequest),
      /** Schemas of the transcript's tools, by name. */
      toolSchemas: toolSchemasByName(read?.toolSchemas ?? ''),
      /** The request as indented JSON, unmasked and masked. */
      texts: {
        whole: JSON.stringify(request, null, 2),
        masked: JSON.stringify({ ...request, messages: masked }, null, 2),
      },
      tokens: {
        before: countMessages(messages, schemas, countTokens),
        after: countMessages(masked, schemas, countTokens),
      },
      /** Turns in the request, including the one it answers. */
      turns: messages.filter((message) => 'tool_calls' in message).length,
      placeholders: placeholdersOf(messages, masked, decideMessages(messages, policy, countTokens)),
      problems: checkRequest(request),
      /** The request as a conversation to save; all requests that answer the same turn have the same key. */
      savedConversation: savedConversationOf(nextRequest, now),
    }
  }
}

/** Texts of the placeholders in a request, also of those that the transcript has. */
function placeholdersOf(
  messages: readonly RequestMessage[],
  masked: readonly RequestMessage[],
  decided: ReturnType<typeof decideMessages>,
): string[] {
  return decided.flatMap(({ message: at, decision }) => {
    const isPlaceholder = decision.reason === 'already_masked' || masked[at] !== messages[at]
    return isPlaceholder ? plainTextOf(masked[at]?.content ?? '') : []
  })
}

/** Messages that are not from the transcript get the job's time. */
function savedConversationOf({ request, times, calls, style }: NextRequest, now: number) {
  const notRun = new Set(calls.flatMap(({ id, recorded }) => (recorded === undefined ? id : [])))
  const dated = request.messages.map((message, at): DatedMessage => {
    const isStyle = message.role === 'system' && message.content === style
    const isNew = message.role === 'tool' && notRun.has(message.tool_call_id)
    return { message, at: times[at] ?? (isStyle || isNew ? now : undefined) }
  })
  const turnAt = request.messages.findLastIndex((message) => 'tool_calls' in message)
  const user = request.messages.slice(0, turnAt).findLast(({ role }) => role === 'user')
  const named = [user ?? null, request.messages[turnAt]].map((one) => JSON.stringify(one))
  const key = savedConversationKey(named)
  return { key, text: writeSavedConversation(dated, request.model) }
}

/** The layout of a text that is a whole document; undefined if it is none, or one message alone. */
export function recogniseDocument(text: string) {
  try {
    const { source, evidence, conversations } = readDocument(
      recogniseCopiedRequests(text)?.body ?? text,
    )
    const isList = evidence.shape === 'message_lines' || evidence.shape === 'message_array'
    const { length: messages } = conversations.flatMap((conversation) => conversation.messages)
    return isList && messages < 2 ? undefined : { layout: source.layout }
  } catch {
    return undefined
  }
}

/** Arguments that a user typed, and their repair. */
export type TriedRepair = ReturnType<typeof tryRepair>

export function tryRepair(text: string, options: RepairOptions) {
  const repair = repairArguments(text, options)
  const metrics = measureRepairs(0, [repair])
  // The parsed value may be large, and the page does not need it.
  const { value: _, ...result } = repair
  return { text, result, metrics }
}

/** Options of a repair in this thread. */
export function withClock(settings: RepairSettings): RepairOptions {
  return { ...settings, now: () => performance.now() }
}
