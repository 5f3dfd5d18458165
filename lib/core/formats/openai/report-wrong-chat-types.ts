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
    report(['content'], content, 'a text, a list of parts or null')
  }
  if (Array.isArray(calls)) {
    for (const [index, call] of calls.entries()) reportWrongCall(call, index, report)
  } else if (!isAbsent(calls)) report(['tool_calls'], calls, 'a list of calls')
  if (role === 'tool' && !isAbsent(id) && typeof id !== 'string') {
    report(['tool_call_id'], id, 'the id of a call, a text')
  }
}

function reportWrongPart(part: unknown, index: number, report: ReportWrongType): void {
  if (!isJsonObject(part) || typeof part.type !== 'string') {
    report(['content', index], part, 'a part, an object with a "type"')
  } else if (part.type === 'text' && typeof part.text !== 'string') {
    report(['content', index, 'text'], part.text, 'a text')
  }
}

function reportWrongCall(call: unknown, index: number, report: ReportWrongType): void {
  if (!isJsonObject(call)) {
    report(['tool_calls', index], call, 'a call, an object with an "id" and a "function"')
  } else if (!isAbsent(call.id) && typeof call.id !== 'string') {
    report(['tool_calls', index, 'id'], call.id, 'the id of the call, a text')
  }
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined
}
