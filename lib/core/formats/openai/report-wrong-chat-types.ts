import type { ChatMessage } from '../../conversation/chat-message'
import { isJsonObject, type Unchecked } from '../../text/json-object'
import type { ReportWrongType } from '../reading/wrong-type-problem'

/** Reports the values of a wrong type in a message; absent values and null are accepted, since clients write both. */
export function reportWrongChatTypes(
  { role, content, tool_calls: calls, tool_call_id: id }: Unchecked<ChatMessage>,
  report: ReportWrongType,
): void {
  if (Array.isArray(content)) {
    for (const [index, part] of content.entries()) reportWrongPart(part, index, report)
  } else if (!isAbsent(content) && typeof content !== 'string') {
    report(['content'], content, 'text_list_of_parts_or_null')
  }
  if (Array.isArray(calls)) {
    for (const [index, call] of calls.entries()) reportWrongCall(call, index, report)
  } else if (!isAbsent(calls)) report(['tool_calls'], calls, 'list_of_calls')
  if (role === 'tool' && !isAbsent(id) && typeof id !== 'string') {
    report(['tool_call_id'], id, 'id_of_a_call_text')
  }
}

function reportWrongPart(part: unknown, index: number, report: ReportWrongType): void {
  if (!isJsonObject(part) || typeof part.type !== 'string') {
    report(['content', index], part, 'part_with_type')
  } else if (part.type === 'text' && typeof part.text !== 'string') {
    report(['content', index, 'text'], part.text, 'text')
  }
}

function reportWrongCall(call: unknown, index: number, report: ReportWrongType): void {
  if (!isJsonObject(call)) {
    report(['tool_calls', index], call, 'call_with_id_and_function')
  } else if (!isAbsent(call.id) && typeof call.id !== 'string') {
    report(['tool_calls', index, 'id'], call.id, 'id_of_the_call_text')
  }
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined
}
