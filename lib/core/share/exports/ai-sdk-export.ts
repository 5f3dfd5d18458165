/**
 * Vercel AI SDK: `prepareStep` of `generateText` and `streamText` may replace the messages of a step. `pruneMessages`
 * is not used: it removes calls together with their results and counts messages. Checked in the types of ai 6.0.322
 * and run in it, November 2026; 7.0.173, which needs Node 22, is the same:
 * https://ai-sdk.dev/docs/agents/loop-control
 */
import type { MaskPolicy } from '../../policy/policy'
import { type ExportTarget, isMaskingOff, maskedBy, note } from './export-target'
import { maskingSource, sourceNotes } from './masking-source'

export const aiSdkExport: ExportTarget = {
  id: 'ai_sdk',
  fileName: 'mask-old-tool-results.ts',
  mediaType: 'text/typescript',
  write: (input) => {
    const estimates = sourceNotes(input)
    const notes = estimates.length === 0 ? [note('exact')] : estimates
    return {
      text: isMaskingOff(input.policy) ? OFF : source(input.policy),
      notes: [...notes, note('json_outputs')],
      cleared: estimates.some(({ code }) => code !== 'off') ? undefined : maskedBy(input),
    }
  },
}

const OFF = `// Masking is off: every step is sent unchanged.
export const prepareStep = () => ({})
`

function source(policy: MaskPolicy): string {
  const { triggerTokens } = policy
  const trigger =
    triggerTokens > 0
      ? `  // About four characters per token.
  if (JSON.stringify(messages).length / 4 < ${triggerTokens}) return messages
`
      : ''
  return `import type { ModelMessage, ToolResultPart } from 'ai'

// generateText({ model, tools, messages, stopWhen, prepareStep })
export const prepareStep = ({ messages }: { readonly messages: ModelMessage[] }) => ({
  messages: maskOldToolResults(messages),
})

/** Replaces old tool results with a placeholder; calls, ids and everything else stay. */
export function maskOldToolResults(messages: ModelMessage[]): ModelMessage[] {
${trigger}  const calls = new Map<string, { turn: number; input: unknown }>()
  let turnCount = 0
  for (const { role, content } of messages) {
    if (role !== 'assistant' || typeof content === 'string') continue
    const own = content.filter((part) => part.type === 'tool-call')
    for (const { toolCallId, input } of own) calls.set(toolCallId, { turn: turnCount, input })
    if (own.length > 0) turnCount++
  }
  const parts = messages.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  const results = parts.flatMap((part): Result[] => {
    const call = part.type === 'tool-result' ? calls.get(part.toolCallId) : undefined
    if (part.type !== 'tool-result' || call === undefined) return []
    const { toolCallId: id, toolName: tool, output } = part
    const isError = output.type === 'error-text' || output.type === 'error-json'
    return [{ id, tool, ...call, text: textOf(output), isError }]
  })
  const masked = placeholders(results, turnCount)
  return messages.map((message) => {
    if (message.role !== 'tool') return message
    const content = message.content.map((part) => {
      const value = part.type === 'tool-result' ? masked.get(part.toolCallId) : undefined
      return value === undefined ? part : { ...part, output: { type: 'text' as const, value } }
    })
    return { ...message, content }
  })
}

function textOf(output: ToolResultPart['output']): string | undefined {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    ${policy.textParts ? CONTENT_PARTS : ''}default:
      return undefined
  }
}

${maskingSource(policy)}
`
}

const CONTENT_PARTS = `case 'content': {
      const texts = output.value.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      return texts.length === output.value.length ? texts.join('') : undefined
    }
    `
