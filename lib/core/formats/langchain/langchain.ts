/**
 * LangChain messages, and states of LangGraph threads: https://docs.langchain.com/oss/python/langchain/messages
 * A message is serialised (`lc: 1`, the class in `id`, the fields in `kwargs`), stored (`type` and `data`) or plain
 * (`type` beside the fields, as in `values.messages` of LangGraph's API). Each list of messages is a conversation: a
 * thread's history has one per state, runs of LangSmith have one per call. See `langchain-lists` for streams and chat
 * histories.
 * A turn is an AI message with a call that has an id: in `tool_calls` or `invalid_tool_calls`, or else in
 * `additional_kwargs`. A result is a tool message. Its text is its content if that is a string; a list of text blocks
 * is `text_parts`, as in chat completions; with other blocks, or without any, it is not text. `status: "error"` flags
 * it as an error.
 * Duplicates: strings of a result's `artifact` (not sent to a model) that repeat its lines; and strings outside the
 * conversations that equal it, such as output of a node.
 * Ignored: content blocks that repeat calls, RemoveMessage.
 */

import { isJsonObject, type JsonObject, membersOf } from '../../text/json'
import { buildConversation, type MessagePieces } from '../reading/conversation'
import { listFormat, readItems } from '../reading/list-format'
import type { MessageList } from '../reading/lists'
import { expectKind, type ReportWrongType, reportWrongTypesTo } from '../reading/report'
import { findLangchainLists, isRemoval } from './langchain-lists'
import { readFields, unwrapMessage } from './langchain-messages'

export const langchain = listFormat({
  id: 'langchain',
  label: 'LangChain',
  expects:
    'a list of messages with "lc": 1, or with a "type" of "human", "ai", "tool" or "system" and their fields beside it or in "data"',
  kind: findLangchainLists,
  marks: (_, lists) => marksOf(lists),
  readList: ({ label, items }, problems) => {
    let model: string | undefined
    const sent = items.filter(
      ({ value }) => !isRemoval(value) || unwrapMessage(value) !== undefined,
    )
    const placed = readItems(sent, problems, (value, place): MessagePieces[] | undefined => {
      const message = unwrapMessage(value)
      if (message === undefined) return undefined
      const { role, fields, fieldsPath } = message
      const { source, path } = place
      const report = reportWrongTypesTo(problems, source, [...path, ...fieldsPath])
      if (!isJsonObject(fields)) {
        report([], fields, 'object_fields_of_message')
        return []
      }
      reportWrongFields(fields, role, report)
      const raw = readFields(message, fields)
      model = modelOf(fields) ?? model
      return [[{ raw, ...place }]]
    })
    return buildConversation(placed, { label, model })
  },
})

function marksOf(lists: readonly MessageList[]): string[] {
  const values = lists.flatMap(({ items }) => items.map(({ value }) => value))
  const marks = values.flatMap((value) => {
    const { fieldsPath = [], type = [] } = unwrapMessage(value) ?? {}
    return [...fieldsPath.map((key) => (key === 'kwargs' ? 'lc' : key)), type].flat()
  })
  return [...new Set(marks)].slice(0, 5)
}

function reportWrongFields(fields: JsonObject, role: string, report: ReportWrongType): void {
  expectKind(report, fields, 'content', ['text', 'list', 'absent'], 'text_or_list_of_blocks')
  if (role === 'assistant')
    expectKind(report, fields, 'tool_calls', ['list', 'absent'], 'list_of_calls')
  if (role === 'tool')
    expectKind(report, fields, 'tool_call_id', ['text'], 'text_id_of_answered_call')
}

function modelOf({ response_metadata: metadata }: JsonObject): string | undefined {
  const { model_name: name, model } = membersOf(metadata)
  return [name, model].find((one) => typeof one === 'string')
}
