import type { JsonValue } from '../../testing/chat-messages'

/** Messages of so many tool turns, each with a result that is longer than its placeholder. */
export function toolTurns(count: number): JsonValue[] {
  return Array.from({ length: count }, (_, turn): JsonValue[] => [
    { role: 'assistant', tool_calls: [{ id: `${turn}`, function: { name: 'read' } }] },
    { role: 'tool', tool_call_id: `${turn}`, content: 'x'.repeat(900) },
  ]).flat()
}
