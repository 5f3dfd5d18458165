/**
 * Writes a conversation as text for snapshots: one line per message, without the transcript's texts except ids and tool
 * names.
 */
import {
  type Conversation,
  ERROR_RULES,
  groupByMessage,
  type Message,
  type ToolCall,
  type ToolResult,
} from '../conversation/conversation'
import { inEnglish } from '../words/english'

/** Returns one line about the conversation, then one per message: index, role, turn, characters, calls, results. */
export function dumpConversation(conversation: Conversation): string {
  const { messages, calls, results, turnCount, label, model } = conversation
  const head = `${inEnglish(label)}: ${messages.length} messages, ${turnCount} turns, ${calls.length} calls, ${results.length} results, model ${model ?? 'unknown'}`
  const callsOf = groupByMessage(calls)
  const resultsOf = groupByMessage(results)
  const lines = messages.map((message, index) =>
    [
      ...describeMessage(message, index),
      ...(callsOf.get(index) ?? []).map(describeCall),
      ...(resultsOf.get(index) ?? []).map(describeResult),
    ].join(' | '),
  )
  return `${[head, ...lines].join('\n')}\n`
}

function describeMessage(message: Message, index: number): string[] {
  const facts = [`${index} ${message.role}`, `${message.chars} chars`]
  if (message.turn !== undefined) facts.splice(1, 0, `turn ${message.turn + 1}`)
  if (message.nonTextParts > 0) facts.push(`${message.nonTextParts} not text`)
  return facts
}

function describeCall({ name, id, turn }: ToolCall): string {
  const kind = turn === undefined ? 'call outside turns' : 'call'
  return `${kind} ${shown(name)} ${shown(id)}`
}

function describeResult(result: ToolResult): string {
  const owner =
    result.callId === undefined
      ? 'without id'
      : result.turn === undefined
        ? `orphan ${result.callId}`
        : `of turn ${result.turn + 1} ${shown(result.toolName)} ${result.callId}`
  const facts = [`result ${owner}`]
  if (result.shape !== 'text') facts.push(result.shape)
  const rules = ERROR_RULES.filter((rule) => result.errorRules.includes(rule))
  if (rules.length > 0) facts.push(`error by ${rules.join(', ')}`)
  return facts.join(', ')
}

function shown(text: string | undefined): string {
  return text ?? '?'
}
