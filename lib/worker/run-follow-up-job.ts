import { chatMessages } from '@/lib/core/convert/to-chat'
import type { ReadDocument } from '@/lib/core/formats/read-document'
import { checkRequest } from '@/lib/core/loop/check-request'
import { buildFollowUp, type FollowUp } from '@/lib/core/loop/follow-up'
import type { DatedMessage, RequestMessage } from '@/lib/core/loop/request-message'
import { threadKey, writeThread } from '@/lib/core/loop/thread'
import {
  countMessages,
  decideMessages,
  maskOldToolResults,
} from '@/lib/core/mask/mask-old-tool-results'
import type { BuiltFollowUp, FollowUpJob, RequestPlaceholder } from './protocol'

type Chat = ReturnType<typeof chatMessages>

/** Builds follow-up requests on the conversations of a document; each is converted once. */
export function createFollowUpRunner(
  { source, conversations }: ReadDocument,
  countTokens: (text: string) => number,
) {
  const chats = new Map<number, Chat>()
  const chatOf = (at: number): Chat | undefined => {
    const conversation = conversations[at]
    const known = chats.get(at)
    if (known !== undefined || conversation === undefined) return known
    const chat = chatMessages(source.text, conversation)
    chats.set(at, chat)
    return chat
  }

  return (job: FollowUpJob): BuiltFollowUp | undefined => {
    const chat = chatOf(job.conversation)
    const followUp = chat && buildFollowUp(chat.messages, job.results, job.options)
    if (chat === undefined || followUp === undefined) return undefined
    const { request, calls, history } = followUp
    const { messages } = request
    const { policy } = job
    const masked = maskOldToolResults(messages, policy, countTokens)
    const schemas = request.tools === undefined ? '' : JSON.stringify(request.tools)
    return {
      calls,
      history,
      lost: chat.lost,
      texts: {
        whole: JSON.stringify(request, null, 2),
        masked: JSON.stringify({ ...request, messages: masked }, null, 2),
      },
      tokens: {
        before: countMessages(messages, schemas, countTokens),
        after: countMessages(masked, schemas, countTokens),
      },
      turns: messages.filter((message) => 'tool_calls' in message).length,
      placeholders: placeholdersOf(messages, masked, decideMessages(messages, policy, countTokens)),
      complaints: checkRequest(request),
      thread: threadOf(followUp, job),
    }
  }
}

function placeholdersOf(
  messages: readonly RequestMessage[],
  masked: readonly RequestMessage[],
  decided: ReturnType<typeof decideMessages>,
): RequestPlaceholder[] {
  return decided.flatMap(({ message: at, decision }) => {
    const message = messages[at]
    const isOld = decision.reason === 'already_masked'
    if (message?.role !== 'tool' || (!isOld && masked[at] === message)) return []
    const { tool_call_id: callId, name } = message
    return [{ message: at, callId, name, text: textOf(masked[at]?.content), isOld }]
  })
}

function textOf(content: RequestMessage['content'] | undefined): string {
  if (typeof content === 'string') return content
  return content?.map(({ text }) => text).join('') ?? ''
}

/** What is written here and now has the time of the job; the rest has its own, where the transcript says. */
function threadOf({ request, times }: FollowUp, job: FollowUpJob) {
  const { options, results, now } = job
  const given = new Set(results.map(({ tool_call_id: id }) => id))
  const dated = request.messages.map((message, at): DatedMessage => {
    const isStyle = message.role === 'system' && message.content === options.style
    const isGiven = message.role === 'tool' && given.has(message.tool_call_id)
    return { message, at: times[at] ?? (isStyle || isGiven ? now : undefined) }
  })
  const turnAt = request.messages.findLastIndex((message) => 'tool_calls' in message)
  const user = request.messages.slice(0, turnAt).findLast(({ role }) => role === 'user')
  const key = threadKey([JSON.stringify(user ?? null), JSON.stringify(request.messages[turnAt])])
  return { key, text: writeThread(dated, request.model) }
}
