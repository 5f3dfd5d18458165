/**
 * LangChain: `contextEditingMiddleware` with `ClearToolUsesEdit`, which counts results, not turns. Read in the source
 * of langchain 1.5.14, November 2026:
 * https://reference.langchain.com/javascript/langchain/index/ClearToolUsesEdit
 */
import { PLACEHOLDER_VARIABLES } from '../../policy/placeholder'
import type { MaskPolicy } from '../../policy/policy'
import {
  type ExportInput,
  type ExportNote,
  type ExportTarget,
  isMaskingOff,
  keepsErrors,
  note,
} from './export-target'
import { hasOneResultATurn, resultsExceptLast, resultsInWindow } from './recent-results'

export const langchainExport: ExportTarget = {
  id: 'langchain',
  fileName: 'observation-masking.ts',
  mediaType: 'text/typescript',
  write: (input) => {
    const keep = resultsInWindow(input)
    const isOff = isMaskingOff(input.policy)
    return {
      text: source(input.policy, keep, isOff),
      notes: notesOf(input, keep, isOff),
      cleared: isOff ? new Set() : clearedBy(input, keep),
    }
  },
}

/** Results it clears. Its trigger estimates four characters per token, so near the limit the answer is undefined. */
function clearedBy(input: ExportInput, keep: number): ReadonlySet<number> | undefined {
  const { triggerTokens } = input.policy
  const chars = input.shown?.conversation.messages.reduce((sum, message) => sum + message.chars, 0)
  if (triggerTokens === 0 || chars === undefined) return resultsExceptLast(input, keep)
  const estimate = chars / 4
  if (estimate > triggerTokens * 1.25) return resultsExceptLast(input, keep)
  return estimate < triggerTokens * 0.75 ? new Set() : undefined
}

function source(policy: MaskPolicy, keep: number, isOff: boolean): string {
  const { triggerTokens, excludeTools } = policy
  const lines = [
    `trigger: ${triggerTokens > 0 ? `{ tokens: ${triggerTokens} }` : '{ messages: 1 }'},`,
    `keep: { messages: ${keep} },`,
    ...(excludeTools.length > 0 ? [`excludeTools: ${JSON.stringify(excludeTools)},`] : []),
    `placeholder: ${JSON.stringify(plainPlaceholder(policy.placeholderTemplate))},`,
  ]
  const edits = isOff
    ? ['  // Masking is off.', '  edits: [],']
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

function notesOf(input: ExportInput, keep: number, isOff: boolean): ExportNote[] {
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
