/** Settings of vendors' own masking that counts results, not turns. */

import { firstKeptTurn } from '../../policy/decide'
import { PLACEHOLDER_VARIABLES } from '../../policy/placeholder'
import type { MaskPolicy } from '../../policy/policy'
import type { Say } from '../../words/comments'
import {
  type ExportInput,
  type ExportNote,
  type ExportTarget,
  isMaskingOff,
  keepsErrors,
  note,
} from './export-target'

/**
 * LangChain: `contextEditingMiddleware` with `ClearToolUsesEdit`, which counts results, not turns. Read in the source
 * of langchain 1.5.14, November 2026:
 * https://reference.langchain.com/javascript/langchain/index/ClearToolUsesEdit
 */
export const langchainExport: ExportTarget<'langchain'> = {
  id: 'langchain',
  fileName: 'observation-masking.ts',
  mediaType: 'text/typescript',
  header: (say) => ['npm install langchain', say('save_langchain')],
  write: (input, say) => {
    const keep = resultsInWindow(input)
    const isOff = isMaskingOff(input.policy)
    return {
      text: langchainSource(input.policy, keep, isOff, say),
      notes: langchainNotes(input, keep, isOff),
      cleared: isOff ? new Set() : clearedByLangchain(input, keep),
    }
  },
}

/** Results it clears. Its trigger estimates four characters per token, so near the limit the answer is undefined. */
function clearedByLangchain(input: ExportInput, keep: number): ReadonlySet<number> | undefined {
  const { triggerTokens } = input.policy
  const chars = input.shown?.conversation.messages.reduce((sum, message) => sum + message.chars, 0)
  if (triggerTokens === 0 || chars === undefined) return resultsExceptLast(input, keep)
  const estimate = chars / 4
  if (estimate > triggerTokens * 1.25) return resultsExceptLast(input, keep)
  return estimate < triggerTokens * 0.75 ? new Set() : undefined
}

function langchainSource(policy: MaskPolicy, keep: number, isOff: boolean, say: Say): string {
  const { triggerTokens, excludeTools } = policy
  const lines = [
    `trigger: ${triggerTokens > 0 ? `{ tokens: ${triggerTokens} }` : '{ messages: 1 }'},`,
    `keep: { messages: ${keep} },`,
    ...(excludeTools.length > 0 ? [`excludeTools: ${JSON.stringify(excludeTools)},`] : []),
    `placeholder: ${JSON.stringify(plainPlaceholder(policy.placeholderTemplate))},`,
  ]
  const edits = isOff
    ? [`  // ${say('off')}`, '  edits: [],']
    : [
        '  edits: [',
        '    new ClearToolUsesEdit({',
        ...lines.map((line) => `      ${line}`),
        '    }),',
        '  ],',
      ]
  return `import { ${isOff ? '' : 'ClearToolUsesEdit, '}contextEditingMiddleware } from 'langchain'

// createAgent({ model, tools, middleware: [observationMasking] })
export const observationMasking = contextEditingMiddleware({
${edits.join('\n')}
})
`
}

/** Removes variables from the template, since LangChain does not fill them in. */
export function plainPlaceholder(template: string): string {
  const names = PLACEHOLDER_VARIABLES.join('|')
  const plain = template
    .replace(new RegExp(`\\s*\\([^()]*\\{(?:${names})\\}[^()]*\\)`, 'g'), '')
    .replace(new RegExp(`\\s*\\{(?:${names})\\}`, 'g'), '')
  return plain.trim() === '' ? '[cleared]' : plain
}

function langchainNotes(input: ExportInput, keep: number, isOff: boolean): ExportNote[] {
  if (isOff) return [note('off')]
  const { policy, shown } = input
  const { windowTurns: window, batchTurns: batch } = policy
  const notes: ExportNote[] = []
  if (!hasOneResultATurn(input)) notes.push(note('counts_results', { keep, window }))
  if (batch > 1) notes.push(note('no_batch', { batch }))
  if (keepsErrors(policy)) notes.push(note('errors_cleared'))
  if (policy.keepLastKPerTool > 0) notes.push(note('no_last_k', { k: policy.keepLastKPerTool }))
  if (policy.triggerTokens > 0)
    notes.push(note('trigger_estimated', { tokens: policy.triggerTokens }))
  if (policy.neverGrow) notes.push(note('no_never_grow'))
  const plain = plainPlaceholder(policy.placeholderTemplate)
  if (plain !== policy.placeholderTemplate) {
    notes.push(note('plain_placeholder', { placeholder: plain }))
  }
  const results = shown?.conversation.results ?? []
  const parts = results.filter(
    ({ shape }) => shape === 'other' || (shape === 'text_parts' && !policy.textParts),
  ).length
  if (parts > 0 || shown === undefined) notes.push(note('parts_cleared', { n: parts }))
  const orphans = results.filter(({ turn }) => turn === undefined).length
  if (orphans > 0) notes.push(note('orphans_removed', { n: orphans }))
  return notes
}

const BETA = 'context-management-2025-06-27'

/**
 * Anthropic: the API clears old tool results with `context_management.edits` of type `clear_tool_uses_20250919` and
 * beta header `context-management-2025-06-27`. By default it starts at 100,000 input tokens and keeps 3 tool uses.
 * Read November 2026, and in the types of @anthropic-ai/sdk 1.12.0:
 * https://platform.claude.com/docs/en/build-with-claude/context-editing
 */
export const anthropicExport: ExportTarget<'anthropic'> = {
  id: 'anthropic',
  fileName: 'context-management.ts',
  mediaType: 'text/typescript',
  header: (say) => ['npm install @anthropic-ai/sdk', say('save_anthropic')],
  write: (input, say) => {
    const { policy } = input
    if (isMaskingOff(policy)) {
      const text = `// ${say('off_requests')}\nexport const contextManagement = {}\n`
      return { text, notes: [note('off')], cleared: new Set() }
    }
    const keep = resultsInWindow(input)
    const atLeast = tokensOfBatch(input)
    const edit = {
      type: 'clear_tool_uses_20250919',
      trigger:
        policy.triggerTokens > 0
          ? { type: 'input_tokens', value: policy.triggerTokens }
          : { type: 'tool_uses', value: keep },
      keep: { type: 'tool_uses', value: keep },
      ...(atLeast === undefined
        ? {}
        : { clear_at_least: { type: 'input_tokens', value: atLeast } }),
      ...(policy.excludeTools.length > 0 ? { exclude_tools: policy.excludeTools } : {}),
    }
    return {
      text: anthropicSource({ betas: [BETA], context_management: { edits: [edit] } }, say),
      notes: anthropicNotes(input, keep, atLeast),
      cleared:
        policy.triggerTokens > 0 || atLeast !== undefined
          ? undefined
          : resultsExceptLast(input, keep),
    }
  },
}

function anthropicSource(parameters: object, say: Say): string {
  return `import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/beta/messages/messages'

// ${say('spread_parameters')}
export const contextManagement = ${JSON.stringify(parameters, null, 2)} satisfies Pick<MessageCreateParamsNonStreaming, 'betas' | 'context_management'>
`
}

/**
 * Estimated tokens that one step of the window removes. The API has no steps, but clears only if it removes this
 * many.
 */
function tokensOfBatch({ policy: { batchTurns }, shown }: ExportInput): number | undefined {
  if (batchTurns <= 1 || shown === undefined || shown.conversation.turnCount === 0) return undefined
  const { results, turnCount } = shown.conversation
  const chars = results.reduce((sum, result) => sum + result.chars, 0)
  const tokens = ((chars / 4) * batchTurns) / turnCount
  return Math.max(100, Math.round(tokens / 100) * 100)
}

function anthropicNotes(
  input: ExportInput,
  keep: number,
  atLeast: number | undefined,
): ExportNote[] {
  const { policy } = input
  const { windowTurns: window, batchTurns: batch } = policy
  const notes = [note('beta_header', { header: BETA })]
  if (!hasOneResultATurn(input)) notes.push(note('counts_calls', { keep, window }))
  if (atLeast !== undefined) notes.push(note('clear_at_least', { batch, tokens: atLeast }))
  else if (batch > 1) notes.push(note('no_batch', { batch }))
  if (keepsErrors(policy)) notes.push(note('errors_cleared'))
  if (policy.keepLastKPerTool > 0) notes.push(note('no_last_k', { k: policy.keepLastKPerTool }))
  if (policy.neverGrow) notes.push(note('no_never_grow'))
  notes.push(note('own_placeholder'), note('parts_cleared', { n: 0 }))
  return notes
}

/**
 * Number of results in the window of the conversation shown; an estimate if it is shorter than the window or missing.
 */
export function resultsInWindow({ policy, shown }: ExportInput): number {
  const { windowTurns } = policy
  const turnCount = shown?.conversation.turnCount ?? 0
  const results = shown?.conversation.results.filter(({ turn }) => turn !== undefined) ?? []
  if (turnCount === 0 || results.length === 0) return windowTurns
  if (turnCount < windowTurns) {
    return Math.max(windowTurns, Math.ceil((results.length / turnCount) * windowTurns))
  }
  const firstKept = firstKeptTurn(turnCount, { windowTurns, batchTurns: 1 })
  return results.filter(({ turn }) => (turn as number) >= firstKept).length
}

/** Returns all results of a turn except the last `keep`. Excluded tools count among the last, and are not cleared. */
export function resultsExceptLast(
  { policy, shown }: ExportInput,
  keep: number,
): ReadonlySet<number> | undefined {
  if (shown === undefined) return undefined
  const candidates = shown.conversation.results
    .map((result, index) => ({ result, index }))
    .filter(({ result }) => result.turn !== undefined)
    .sort((a, b) => a.result.message - b.result.message)
  const old = candidates.slice(0, Math.max(0, candidates.length - keep))
  const cleared = old.filter(
    ({ result: { toolName } }) => toolName === undefined || !policy.excludeTools.includes(toolName),
  )
  return new Set(cleared.map(({ index }) => index))
}

/** True if every turn of the conversation shown has exactly one result, so that counting either is the same. */
export function hasOneResultATurn({ shown }: ExportInput): boolean {
  if (shown === undefined) return false
  const { results, turnCount } = shown.conversation
  const turns = results.map(({ turn }) => turn)
  return (
    turns.length === turnCount && new Set(turns).size === turnCount && !turns.includes(undefined)
  )
}
