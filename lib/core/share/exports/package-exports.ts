/** Exports that import the package: masking is its code, and only the settings are written. All match the policy exactly. */
import { type MaskPolicy, needsCounts, writtenFields } from '../../policy/policy'
import type { WriteExport } from './export-target'

export const library: WriteExport = ({ policy }, say) =>
  withPolicy(
    policy,
    'maskOldToolResults',
    (counter) => `/** ${say('masks_messages')} */
export function mask<Message>(messages: readonly Message[]): readonly Message[] {
  return maskOldToolResults(messages, policy${counter})
}
`,
  )

export const fetchWrapper: WriteExport = ({ policy }, say) => {
  const isCounting = needsCounts(policy)
  const imports = [
    ...(isCounting ? ["import { loadEncoding } from 'observation-masking'"] : []),
    "import { type PolicySource, withObservationMasking } from 'observation-masking/fetch'",
  ]
  return `${imports.join('\n')}

const policy: PolicySource = {
${settingsSource(policy)}}
${isCounting ? LOAD_COUNTER : ''}
/** ${say('masking_fetch')} */
export const maskingFetch = withObservationMasking(fetch, policy${isCounting ? ', { countTokens }' : ''})
`
}

/**
 * Vercel AI SDK: `prepareStep` of `generateText` and `streamText` may replace the messages of a step. `pruneMessages`
 * is not used: it removes calls together with their results and counts messages. Checked in the types of ai 6.0.322
 * and run in it, November 2026; 7.0.173, which needs Node 22, is the same:
 * https://ai-sdk.dev/docs/agents/loop-control
 */
export const aiSdkExport: WriteExport = ({ policy }) => `import type { ModelMessage } from 'ai'
${withPolicy(
  policy,
  'maskModelMessages',
  (counter) => `// generateText({ model, tools, messages, stopWhen, prepareStep })
export const prepareStep = ({ messages }: { readonly messages: ModelMessage[] }) => ({
  messages: maskModelMessages(messages, policy${counter}),
})
`,
)}`

/**
 * LangGraph: `createReactAgent` calls a `preModelHook` before each request and sends its `llmInputMessages`; the
 * stored messages stay. The function also works in a custom node. Read in the types of @langchain/langgraph 1.7.3,
 * November 2026:
 * https://reference.langchain.com/javascript/langchain-langgraph/prebuilt/createReactAgent
 */
export const langgraphExport: WriteExport = ({
  policy,
}) => `import type { BaseMessage } from '@langchain/core/messages'
${withPolicy(
  policy,
  'maskLangchainMessages',
  (counter) => `// createReactAgent({ llm, tools, preModelHook })
export const preModelHook = ({ messages }: { readonly messages: BaseMessage[] }) => ({
  llmInputMessages: maskLangchainMessages(messages, policy${counter}),
})
`,
)}`

const LOAD_COUNTER = "\nconst { countTokens } = await loadEncoding('o200k_base')\n"

/** The policy as a constant, and code that uses it with the function `mask` of the package. */
function withPolicy(policy: MaskPolicy, mask: string, code: (counter: string) => string): string {
  const isCounting = needsCounts(policy)
  const names = ['DEFAULT_POLICY', ...(isCounting ? ['loadEncoding'] : []), 'type MaskPolicy', mask]
  return `import { ${names.join(', ')} } from 'observation-masking'

const policy: MaskPolicy = {
  ...DEFAULT_POLICY,
${settingsSource(policy)}}
${isCounting ? LOAD_COUNTER : ''}
${code(isCounting ? ', countTokens' : '')}`
}

/** The settings as the members of an object in TypeScript. */
function settingsSource(policy: MaskPolicy): string {
  return writtenFields(policy)
    .map(({ key }) => `  ${key}: ${JSON.stringify(policy[key])},\n`)
    .join('')
}
