/**
 * Sessions of Continue (`~/.continue/sessions/….json`), of its command line and its extensions:
 * https://github.com/continuedev/continue/blob/main/core/index.d.ts (`Session`, `ChatHistoryItem`)
 * A turn is an item with a message of role `assistant` and `toolCalls`. The result of a call is the `output` of its state in
 * `toolCallStates`, a list of context items, which is sent as a message of role `tool`; a call with the status `errored`
 * failed, and one with `canceled` has none. Other `contextItems` are sent with the message of the user.
 * Duplicates: complete results anywhere else, such as `promptLogs`. Usage: that of each message.
 * Ignored: what the editor shows. The file has no system prompt and no tool schemas.
 */
import { nonEmptyString } from '../../conversation/link-messages'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { buildConversation } from '../reading/conversation'
import { listFormat, readItems } from '../reading/list-format'
import { findKeys, type MessageListKind } from '../reading/lists'
import { MessageBody, memberText, rawMessage, textsOfContent } from '../reading/raw-message'
import { readUsage, usageOfAnswer } from '../reading/read-usage'

const HISTORY: MessageListKind = {
  isMessage: (value) => {
    const { message, contextItems } = membersOf(value)
    return typeof membersOf(message).role === 'string' && Array.isArray(contextItems)
  },
  hasFormatMarks: () => true,
}

export const continueSession = listFormat({
  id: 'continue',
  label: 'Continue session',
  expects: 'a "history" of items with a "message" and "contextItems" each',
  kind: HISTORY,
  shape: () => 'session',
  marks: (source) => findKeys(source, ['history', 'contextItems', 'toolCallStates']),
  readList: ({ label, items, owner }, problems) => {
    let model = nonEmptyString(owner?.chatModelTitle)
    const placed = readItems(items, problems, (item, place, report) => {
      if (!HISTORY.isMessage(item)) return undefined
      const message = membersOf(item.message)
      const [said, done] = [new MessageBody(report), new MessageBody(report)]
      said.contents.push(...contextTexts(item.contextItems, ['contextItems']))
      const { texts, others } = textsOfContent(message.content, ['message', 'content'])
      const isThinking = message.role === 'thinking'
      if (isThinking) said.reasoning.push(...texts)
      else said.contents.push(...texts)
      said.nonTextParts += others
      said.reasoning.push(...memberText(item.reasoning, 'text', ['reasoning']))
      said.eachObject(
        message.toolCalls,
        ['message', 'toolCalls'],
        'call_with_name',
        (call, path) => {
          const called = { ...membersOf(call.function), id: call.id }
          said.requireId(call.id, [...path, 'id'], 'id')
          said.addCall(called, [...path, 'function'], ['id', 'name', 'arguments'], null)
        },
      )
      done.eachObject(
        item.toolCallStates,
        ['toolCallStates'],
        'state_of_call_object',
        (state, path) => readState(done, state, path),
      )
      const role = isThinking ? 'assistant' : (message.role as string)
      const raw = rawMessage(role, said)
      const results = { ...place, raw: rawMessage('tool', done) }
      const usage = usageOf(message)
      model ??= usage?.model
      return [
        [{ ...place, raw: { ...raw, usage } }],
        ...(done.results.length > 0 ? [[results] as const] : []),
      ]
    })
    return buildConversation(placed, { label, model })
  },
})

/** For Claude, what Anthropic states as input is written as the prompt: it leaves out what the cache read and wrote. */
function usageOf(message: JsonObject) {
  const usage = usageOfAnswer(message)
  return usage?.model?.startsWith('claude')
    ? readUsage(message.usage, 'continueClaude', { model: usage.model })
    : usage
}

function readState(done: MessageBody, state: JsonObject, path: JsonPath): void {
  const { toolCallId, output, status } = state
  done.requireId(toolCallId, [...path, 'toolCallId'], 'id_of_a_call')
  if (output === undefined || output === null) return
  if (!Array.isArray(output)) done.report([...path, 'output'], output, 'list_of_parts')
  const texts = contextTexts(output, [...path, 'output'])
  done.addPartsResult(toolCallId, { texts, others: 0 }, status === 'errored')
}

/** The contents of context items, such as files and outputs. */
function contextTexts(items: unknown, path: JsonPath) {
  return itemsOf(items).flatMap((item, at) =>
    isJsonObject(item) ? memberText(item, 'content', [...path, at]) : [],
  )
}
