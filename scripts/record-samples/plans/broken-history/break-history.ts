import type { Message } from '../../recorder'
import { rawNumber } from './break-text'

type Loose = Record<string, unknown>

/**
 * Damages a recorded history the way histories are damaged in practice. In this order:
 * 1. the head is cut off: the user's request and the first call are gone, their results stay;
 * 2. the answer to the second call of a turn is lost;
 * 3. one result loses its `tool_call_id`;
 * 4. a later call and its result carry the id of an earlier one;
 * 5. messages without calls say so by `tool_calls: null`, the next one by an empty list;
 * 6. the content of one result is null;
 * 7. the arguments of one call are an object instead of a text;
 * 8. keys with numbers that a double or a re-print would change are added;
 * 9. the end is cut off: the last call has no answer.
 */
export function breakHistory(recorded: readonly Message[]): unknown[] {
  const messages: Loose[] = structuredClone(recorded).map((message) => ({ ...message }))

  const firstCall = messages.findIndex((message) => message.tool_calls !== undefined)
  messages.splice(0, firstCall + 1)

  const turns = messages.filter((message) => message.tool_calls !== undefined)
  const callsOf = (turn: number) => turns[turn]?.tool_calls as Loose[]
  const resultOf = (call: Loose | undefined) =>
    messages.findIndex((message) => message.tool_call_id === call?.id)

  messages.splice(resultOf(callsOf(0)[1]), 1)

  delete messages[resultOf(callsOf(1)[0])]?.tool_call_id

  const repeated = callsOf(2)[0]
  const result = messages[resultOf(repeated)]
  const earlier = callsOf(0)[0]?.id
  if (repeated !== undefined) repeated.id = earlier
  if (result !== undefined) result.tool_call_id = earlier

  const sayings = messages.filter((message) => message.role === 'assistant' && !message.tool_calls)
  for (const [position, message] of sayings.entries()) {
    message.tool_calls = position % 2 === 0 ? null : []
  }

  const emptied = messages[resultOf(callsOf(2)[1])]
  if (emptied !== undefined) emptied.content = null

  const written = callsOf(3)[0]?.function as Loose
  written.arguments = JSON.parse(String(written.arguments))

  Object.assign(messages[0] ?? {}, { sequence: rawNumber('12345678901234567890') })
  Object.assign(turns[1] ?? {}, { budget: rawNumber('1e5'), ratio: rawNumber('1.50') })
  Object.assign(turns[3] ?? {}, {
    timestamp: rawNumber('1772442000.000000001'),
    offset: rawNumber('-0'),
  })

  messages.pop()
  return messages
}
