/**
 * LangGraph: `createReactAgent` calls a `preModelHook` before each request and sends its `llmInputMessages`; the
 * stored messages stay. The function also works in a custom node. Read in the types of @langchain/langgraph 1.7.3,
 * November 2026:
 * https://reference.langchain.com/javascript/langchain-langgraph/prebuilt/createReactAgent
 */
import type { MaskPolicy } from '../../policy/policy'
import { type ExportTarget, isMaskingOff, maskedBy, note } from './export-target'
import { maskingSource, sourceNotes } from './masking-source'

export const langgraphExport: ExportTarget = {
  id: 'langgraph',
  fileName: 'mask-old-tool-results.ts',
  mediaType: 'text/typescript',
  write: (input) => {
    const estimates = sourceNotes(input)
    return {
      text: isMaskingOff(input.policy) ? OFF : source(input.policy),
      notes: estimates.length === 0 ? [note('exact')] : estimates,
      cleared: estimates.some(({ code }) => code !== 'off') ? undefined : maskedBy(input),
    }
  },
}

const OFF = `import type { BaseMessage } from '@langchain/core/messages'

// Masking is off: everything is sent unchanged.
export const preModelHook = ({ messages }: { readonly messages: BaseMessage[] }) => ({
  llmInputMessages: messages,
})
`

function source(policy: MaskPolicy): string {
  const { triggerTokens } = policy
  const trigger =
    triggerTokens > 0
      ? `  // About four characters per token.
  const chars = messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0)
  if (chars / 4 < ${triggerTokens}) return [...messages]
`
      : ''
  return `import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'

// createReactAgent({ llm, tools, preModelHook })
export const preModelHook = ({ messages }: { readonly messages: BaseMessage[] }) => ({
  llmInputMessages: maskOldToolResults(messages),
})

/** Replaces old tool results with a placeholder; calls, ids and everything else stay. */
export function maskOldToolResults(messages: readonly BaseMessage[]): BaseMessage[] {
${trigger}  const calls = new Map<string, { tool: string; turn: number; input: unknown }>()
  let turnCount = 0
  for (const message of messages) {
    if (!AIMessage.isInstance(message)) continue
    const own = (message.tool_calls ?? []).filter(({ id }) => id !== undefined && id !== '')
    for (const { id, name, args } of own) {
      calls.set(id as string, { tool: name, turn: turnCount, input: args })
    }
    if (own.length > 0) turnCount++
  }
  const results = messages.flatMap((message): Result[] => {
    if (!ToolMessage.isInstance(message)) return []
    const { tool_call_id: id, status } = message
    const call = calls.get(id)
    if (call === undefined) return []
    return [{ id, ...call, text: textOf(message), isError: status === 'error' }]
  })
  const masked = placeholders(results, turnCount)
  return messages.map((message) => {
    if (!ToolMessage.isInstance(message)) return message
    const content = masked.get(message.tool_call_id)
    if (content === undefined) return message
    const { tool_call_id, id, name, status, additional_kwargs, response_metadata } = message
    return new ToolMessage({
      content,
      tool_call_id,
      additional_kwargs,
      response_metadata,
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      ...(status === undefined ? {} : { status }),
    })
  })
}

function textOf({ content }: ToolMessage): string | undefined {
  ${
    policy.textParts
      ? `if (typeof content === 'string') return content
  const texts = content.flatMap((part) => (part.type === 'text' ? [String(part.text)] : []))
  return texts.length === content.length ? texts.join('') : undefined`
      : `return typeof content === 'string' ? content : undefined`
  }
}

${maskingSource(policy)}
`
}
