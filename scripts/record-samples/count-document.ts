import type { CountedMessage } from './sample'

/** Turns, results and messages of a file in any layout the samples use. */
export function countDocument(text: string): { turns: number; results: number; messages: number } {
  const messages = messagesOf(text)
  return {
    turns: messages.filter(isTurn).length,
    results: messages.filter((message) => message.role === 'tool').length,
    messages: messages.length,
  }
}

/** All messages of a body, an array, lines of messages or lines of bodies, in order. */
function messagesOf(text: string): CountedMessage[] {
  try {
    return unwrap(JSON.parse(text))
  } catch {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
    return lines.flatMap((line) => unwrap(JSON.parse(line)))
  }
}

function unwrap(value: unknown): CountedMessage[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null && 'messages' in value)
    return unwrap(value.messages)
  return [value as CountedMessage]
}

function isTurn(message: CountedMessage): boolean {
  const calls: unknown = message.tool_calls
  if (message.role !== 'assistant' || !Array.isArray(calls)) return false
  return calls.some((call) => typeof call?.id === 'string' && call.id !== '')
}
