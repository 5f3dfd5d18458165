/** Settings of vendors' own masking that counts results, not turns. */
import { PLACEHOLDER_VARIABLES } from '../../policy/placeholder'
import { batchNumber } from '../../policy/policy'
import { firstKeptTurn } from '../../policy/window-steps'
import { type ExportInput, type ExportNote, lackNotes, note, vendorExport } from './export-target'

/**
 * LangChain: `contextEditingMiddleware` with `ClearToolUsesEdit`, which counts results, not turns. Read in the source
 * of langchain 1.5.14, November 2026:
 * https://reference.langchain.com/javascript/langchain/index/ClearToolUsesEdit
 */
export const langchainExport = vendorExport(
  (say) => langchainSource('', [`  // ${say('off')}`, '  edits: [],']),
  (input) => {
    const { policy } = input
    const { triggerTokens, excludeTools } = policy
    const keep = resultsInWindow(input)
    const placeholder = plainPlaceholder(policy.placeholderTemplate)
    const lines = [
      `trigger: ${triggerTokens > 0 ? `{ tokens: ${triggerTokens} }` : '{ messages: 1 }'},`,
      `keep: { messages: ${keep} },`,
      ...(excludeTools.length > 0 ? [`excludeTools: ${JSON.stringify(excludeTools)},`] : []),
      `placeholder: ${JSON.stringify(placeholder)},`,
    ].map((line) => `      ${line}`)
    const edits = ['  edits: [', '    new ClearToolUsesEdit({', ...lines, '    }),', '  ],']
    return {
      text: langchainSource('ClearToolUsesEdit, ', edits),
      notes: langchainNotes(input, keep, placeholder),
      cleared: clearedByLangchain(input, keep),
    }
  },
)

function langchainSource(imports: string, edits: readonly string[]): string {
  return `import { ${imports}contextEditingMiddleware } from 'langchain'

// createAgent({ model, tools, middleware: [observationMasking] })
export const observationMasking = contextEditingMiddleware({
${edits.join('\n')}
})
`
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

/** Removes variables from the template, since LangChain does not fill them in. */
export function plainPlaceholder(template: string): string {
  const names = PLACEHOLDER_VARIABLES.join('|')
  const plain = template
    .replace(new RegExp(`\\s*\\([^()]*\\{(?:${names})\\}[^()]*\\)`, 'g'), '')
    .replace(new RegExp(`\\s*\\{(?:${names})\\}`, 'g'), '')
  return plain.trim() === '' ? '[cleared]' : plain
}

function langchainNotes(input: ExportInput, keep: number, placeholder: string): ExportNote[] {
  const { policy, shown } = input
  const results = shown?.conversation.results ?? []
  const parts = results.filter(
    ({ shape }) => shape === 'other' || (shape === 'text_parts' && !policy.textParts),
  ).length
  const orphans = results.filter(({ turn }) => turn === undefined).length
  const isPlain = placeholder === policy.placeholderTemplate
  return [
    ...countNotes('counts_results', input, keep),
    ...lackNotes(policy, 'no_batch', 'no_break_even', 'errors_cleared', 'no_last_k'),
    ...lackNotes(policy, 'trigger_estimated', 'no_never_grow'),
    ...(isPlain ? [] : [note('plain_placeholder', { placeholder })]),
    ...(parts > 0 || shown === undefined ? [note('parts_cleared', { n: parts })] : []),
    ...(orphans > 0 ? [note('orphans_removed', { n: orphans })] : []),
  ]
}

/** A note unless every turn of the conversation shown has exactly one result, so that counting either is the same. */
function countNotes(
  code: 'counts_results' | 'counts_calls',
  { policy: { windowTurns: window }, shown }: ExportInput,
  keep: number,
): ExportNote[] {
  const turns = shown?.conversation.results.map(({ turn }) => turn)
  const count = shown?.conversation.turnCount
  const isSame =
    turns?.length === count && new Set(turns).size === count && !turns?.includes(undefined)
  return isSame ? [] : [note(code, { keep, window })]
}

const BETA = 'context-management-2025-06-27'

/**
 * Anthropic: the API clears old tool results with `context_management.edits` of type `clear_tool_uses_20250919` and
 * beta header `context-management-2025-06-27`. By default it starts at 100,000 input tokens and keeps 3 tool uses.
 * Read November 2026, and in the types of @anthropic-ai/sdk 1.12.0:
 * https://platform.claude.com/docs/en/build-with-claude/context-editing
 */
export const anthropicExport = vendorExport(
  (say) => `// ${say('off_requests')}\nexport const contextManagement = {}\n`,
  (input, say) => {
    const { policy } = input
    const { triggerTokens, excludeTools } = policy
    const keep = resultsInWindow(input)
    const atLeast = tokensOfBatch(input)
    const tokens = (value: number) => ({ type: 'input_tokens', value })
    const edit = {
      type: 'clear_tool_uses_20250919',
      trigger: triggerTokens > 0 ? tokens(triggerTokens) : { type: 'tool_uses', value: keep },
      keep: { type: 'tool_uses', value: keep },
      clear_at_least: atLeast && tokens(atLeast),
      exclude_tools: excludeTools.length > 0 ? excludeTools : undefined,
    }
    const parameters = { betas: [BETA], context_management: { edits: [edit] } }
    return {
      text: `import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/beta/messages/messages'

// ${say('spread_parameters')}
export const contextManagement = ${JSON.stringify(parameters, null, 2)} satisfies Pick<MessageCreateParamsNonStreaming, 'betas' | 'context_management'>
`,
      notes: [
        note('beta_header', { header: BETA }),
        ...countNotes('counts_calls', input, keep),
        ...(atLeast === undefined
          ? lackNotes(policy, 'no_batch')
          : [note('clear_at_least', { batch: batchNumber(policy), tokens: atLeast })]),
        ...lackNotes(policy, 'no_break_even', 'errors_cleared', 'no_last_k', 'no_never_grow'),
        note('own_placeholder'),
        note('parts_cleared', { n: 0 }),
      ],
      cleared:
        triggerTokens > 0 || atLeast !== undefined ? undefined : resultsExceptLast(input, keep),
    }
  },
)

/**
 * Estimated tokens that one step of the window removes. The API has no steps, but clears only if it removes this
 * many.
 */
function tokensOfBatch({ policy, shown }: ExportInput): number | undefined {
  const batchTurns = batchNumber(policy)
  if (batchTurns <= 1 || shown === undefined || shown.conversation.turnCount === 0) return undefined
  const { results, turnCount } = shown.conversation
  const chars = results.reduce((sum, result) => sum + result.chars, 0)
  const tokens = ((chars / 4) * batchTurns) / turnCount
  return Math.max(100, Math.round(tokens / 100) * 100)
}

/**
 * Number of results in the window of the conversation shown; an estimate if it is shorter than the window or missing.
 */
function resultsInWindow({ policy, shown }: ExportInput): number {
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
function resultsExceptLast({ policy, shown }: ExportInput, keep: number) {
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

/**
 * SWE-agent: the history processor `last_n_observations`, with one observation per step; `polling` moves its window
 * in steps. It removes observations 1 to floor(observations / polling) * polling - n; observation 0 is the task. A
 * tool cannot be excluded: `tag_tool_call_observations` tags the action, but `last_n_observations` checks the tags of
 * the observation. Read November 2026 at commit 318f909 of sweagent/agent/history_processors.py:
 * https://swe-agent.com/latest/reference/history_processor_config/
 */
export const sweAgentExport = vendorExport(
  (say) => `agent:\n  # ${say('off_history')}\n  history_processors: []\n`,
  (input) => {
    const { windowTurns: window } = input.policy
    // It moves by a number of steps only.
    const batch = Math.max(1, batchNumber(input.policy))
    const lines = ['agent:', '  history_processors:']
    lines.push('    - type: last_n_observations', `      n: ${window}`)
    if (batch > 1) lines.push(`      polling: ${batch}`)
    const notes = [note('counts_steps'), note('own_placeholder')]
    if (batch > 1 && (window + 1) % batch !== 0)
      notes.push(note('steps_elsewhere', { batch, window, most: window + batch - 1 }))
    const lacks = [
      'no_break_even',
      'tags_calls',
      'errors_cleared',
      'no_last_k',
      'no_trigger',
      'no_never_grow',
    ] as const
    return {
      text: `${lines.join('\n')}\n`,
      notes: [...notes, ...lackNotes(input.policy, ...lacks)],
      cleared: clearedBySweAgent(input),
    }
  },
)

/** Results it clears, by turn: an observation is everything one step returned. */
function clearedBySweAgent({ policy, shown }: ExportInput): ReadonlySet<number> | undefined {
  if (shown === undefined) return undefined
  const { results, turnCount } = shown.conversation
  const observations = turnCount + 1
  const polling = Math.max(1, batchNumber(policy))
  const removed = Math.floor(observations / polling) * polling - policy.windowTurns - 1
  const isCleared = ({ turn }: (typeof results)[number]) => turn !== undefined && turn < removed
  return new Set(results.flatMap((result, index) => (isCleared(result) ? [index] : [])))
}

/**
 * OpenHands 0.x: `[condenser] type = "observation_masking"`, whose window counts events: an action, its observation
 * and every message are one each. Its placeholder is `<MASKED>`. Read November 2026 in
 * openhands/memory/condenser/impl/observation_masking_condenser.py and config.template.toml:
 * https://github.com/OpenHands/OpenHands/blob/011718233dd35181c3086cd66752773bfeb6334d/config.template.toml
 */
export const openhandsExport = vendorExport(
  () => '[condenser]\ntype = "noop"\n',
  (input, say) => {
    const { policy } = input
    const events = eventsInWindow(input)
    return {
      text: `[condenser]\ntype = "observation_masking"\n# ${say('events')}\nattention_window = ${events}\n`,
      notes: [
        note('version_0'),
        note('counts_events', { events, window: policy.windowTurns }),
        note('own_placeholder'),
        ...lackNotes(policy, 'no_batch', 'no_break_even', 'errors_cleared', 'no_last_k'),
        ...lackNotes(policy, 'no_exclude', 'no_trigger', 'no_never_grow'),
      ],
      // A transcript of messages lacks some of its events.
      cleared: undefined,
    }
  },
)

function eventsInWindow({ policy, shown }: ExportInput): number {
  const { windowTurns } = policy
  const turnCount = shown?.conversation.turnCount ?? 0
  if (shown === undefined || turnCount === 0) return windowTurns * 2
  const firstKept = firstKeptTurn(turnCount, { windowTurns, batchTurns: 1 })
  const inWindow = ({ turn }: { readonly turn: number | undefined }) =>
    turn !== undefined && turn >= firstKept
  const { calls, results } = shown.conversation
  const events = calls.filter(inWindow).length + results.filter(inWindow).length
  const turns = Math.min(windowTurns, turnCount)
  return Math.max(windowTurns * 2, Math.ceil((events / turns) * windowTurns))
}
