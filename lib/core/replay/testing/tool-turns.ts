import type { JsonValue } from '../../testing/chat-messages'
import { turnOf } from '../../testing/conversation-of'

/** Messages of so many tool turns, each with a result that is longer than its placeholder. */
export function toolTurns(count: number): JsonValue[] {
  return Array.from({ length: count }, (_, turn) => turnOf(`${turn}`, 'x'.repeat(900))).flat()
}
