/** Policies, recorded sessions and inputs for the tests of exports. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPTIONAL_ERROR_RULES, type ReadConversation } from '../../../conversation/conversation'
import { readDocument } from '../../../formats/read-document'
import { maskDocument } from '../../../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../../../policy/policy'
import { inputWithoutTranscript } from '../../../testing/export-input'
import { countQuarters } from '../../../testing/policies'
import type { ExportInput } from '../export-target'
import { EXPORT_TARGETS, type ExportId } from '../export-targets'
import { ROOT } from './run-in-packages'

export const ON: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }

const NARROW: MaskPolicy = { ...ON, windowTurns: 1 }

/** Policies with settings that some target does not support. */
export const POLICIES: readonly (readonly [string, MaskPolicy])[] = [
  ['the default', ON],
  ['off', DEFAULT_POLICY],
  ['a window of 0', { ...ON, windowTurns: 0 }],
  ['tight, errors masked too', { ...ON, windowTurns: 2, keepErrors: false }],
  ['in batches', { ...ON, windowTurns: 5, batchTurns: 4 }],
  [
    'with tools excluded and kept',
    { ...NARROW, excludeTools: ['read_file', 'say "it"'], keepLastKPerTool: 2 },
  ],
  ['with few error rules', { ...NARROW, errorRules: ['error_line', 'flag'] }],
  ['with the flag alone', { ...NARROW, errorRules: ['flag'] }],
  [
    'with the rules beyond Schema 1 and own texts',
    { ...NARROW, errorRules: OPTIONAL_ERROR_RULES, errorPatterns: ['E', 'Not "found"'] },
  ],
  [
    'with a placeholder that means to break out',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it must not be read as a template
    { ...ON, windowTurns: 3, placeholderTemplate: '`${id}` \\ {tool_name}\n"\'</script>$' },
  ],
  ['longer than any session', { ...ON, windowTurns: 500 }],
]

/** They need a tokenizer, which exported code does not have. */
export const ESTIMATED: MaskPolicy = {
  ...{ ...ON, windowTurns: 2, textParts: true, neverGrow: true, triggerTokens: 2000 },
  placeholderTemplate: '[{original_tokens} {tool_arguments}]',
}

/** A transcript of chat messages, read. */
export function sampleOf(name: string, text: string) {
  const document = readDocument(text)
  const parsed = JSON.parse(text)
  const messages = Array.isArray(parsed) ? parsed : parsed.messages
  return {
    name,
    text,
    messages,
    conversation: document.conversations[0] as ReadConversation,
    document,
  }
}

const publishedSample = (name: string) =>
  sampleOf(name, readFileSync(join(ROOT, 'public/samples', name), 'utf8'))

export const CODING_SESSION = publishedSample('coding-session.json')
export const DATA_ANALYSIS = publishedSample('data-analysis.json')

export const SAMPLES = [CODING_SESSION, DATA_ANALYSIS, publishedSample('log-reading.json')]

/** An input, with what the policy does to the sample. */
export function inputFor(sample: ReturnType<typeof sampleOf>, policy: MaskPolicy) {
  const { conversations } = sample.document
  const { decisions } = maskDocument({ text: sample.text, conversations }, policy, countQuarters)
  return {
    ...inputWithoutTranscript(policy, sample.name),
    shown: { conversation: sample.conversation, decisions: decisions[0] ?? [] },
  }
}

export function exported(id: ExportId, input: ExportInput) {
  const target = EXPORT_TARGETS.find((target) => target.id === id)
  if (target === undefined) throw new RangeError(id)
  return { text: target.write(input) }
}

/** The ids of the calls whose results the policy masks. */
export const maskedIds = ({ shown }: ReturnType<typeof inputFor>) =>
  shown.decisions
    .flatMap(({ action }, at) =>
      action === 'mask' ? [shown.conversation.results[at]?.callId] : [],
    )
    .sort()
