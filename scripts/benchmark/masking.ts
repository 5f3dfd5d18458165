import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { type ModelMessage, pruneMessages } from 'ai'
import { ClearToolUsesEdit } from 'langchain'
import { maskOldToolResults } from '../../lib/core/mask/mask-old-tool-results'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { type Block, compare } from './compare'
import { type ChatMessage, makeMessages, passOver } from './transcripts'

const POLICY = { ...DEFAULT_POLICY, enabled: true }
const NO_ERRORS = { ...POLICY, keepErrors: false }

export async function measureMasking(): Promise<Block[]> {
  return [
    await compareWithPruning(267),
    await compareWithPruning(4_000),
    await compareWithScan(267),
    await compareWithClearing(267),
  ]
}

async function compareWithPruning(turns: number): Promise<Block> {
  const messages = makeMessages({ turns })
  const modelMessages = messages.map(toModelMessage)
  const toolCalls = `before-last-${2 * POLICY.windowTurns}-messages` as const
  // New objects have nothing kept with them.
  const renewed = () => messages.map((message) => ({ ...message }))
  return compare(`Masking the messages of ${turns} turns, \`keep_errors\` off`, [
    {
      name: '`pruneMessages` of the AI SDK',
      run: () => pruneMessages({ messages: modelMessages, toolCalls }),
    },
    {
      name: '`maskOldToolResults`, the same messages as before',
      run: () => maskOldToolResults(messages, NO_ERRORS),
      atMost: 3,
    },
    {
      name: '`maskOldToolResults`, copies that it sees for the first time',
      run: () => maskOldToolResults(renewed(), NO_ERRORS),
      atMost: 12,
    },
  ])
}

async function compareWithScan(turns: number): Promise<Block> {
  const messages = makeMessages({ turns })
  const masked = maskOldToolResults(messages, NO_ERRORS)
  const texts = messages.flatMap(({ content }, index) =>
    masked[index] === messages[index] ? [] : [content ?? ''],
  )
  return compare(`Masking the messages of ${turns} turns, \`keep_errors\` on`, [
    { name: 'a scan of the texts that can be masked', run: () => texts.map(passOver) },
    {
      name: '`maskOldToolResults`, the same messages as before',
      run: () => maskOldToolResults(messages, POLICY),
      atMost: 1,
    },
    {
      name: '`maskOldToolResults`, copies that it sees for the first time',
      run: () =>
        maskOldToolResults(
          messages.map((message) => ({ ...message })),
          POLICY,
        ),
      atMost: 6,
    },
  ])
}

/** LangChain counts tokens to decide whether to clear at all; a counter that reads nothing leaves the clearing alone. */
async function compareWithClearing(turns: number): Promise<Block> {
  const messages = makeMessages({ turns })
  const history = messages.map(toLangChain)
  const edit = new ClearToolUsesEdit({
    trigger: { tokens: 1 },
    keep: { messages: POLICY.windowTurns },
  })
  const model = {} as Parameters<typeof edit.apply>[0]['model']
  const clear = (): Promise<void> =>
    edit.apply({ messages: [...history], model, countTokens: async () => 1e6 })
  return compare(`Masking the messages of ${turns} turns, against LangChain`, [
    { name: '`ClearToolUsesEdit` of LangChain', run: clear },
    {
      name: '`maskOldToolResults`',
      run: () => maskOldToolResults(messages, NO_ERRORS),
      atMost: 0.5,
    },
  ])
}

function toModelMessage({ role, content, tool_calls, tool_call_id }: ChatMessage): ModelMessage {
  if (role === 'assistant') {
    const calls = (tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: JSON.parse(input) as unknown,
    }))
    return { role, content: calls }
  }
  if (role !== 'tool') return { role: 'user', content: content ?? '' }
  const output = { type: 'text' as const, value: content ?? '' }
  const toolCallId = tool_call_id ?? ''
  return { role, content: [{ type: 'tool-result', toolCallId, toolName: 'tool', output }] }
}

function toLangChain({ role, content, tool_calls, tool_call_id }: ChatMessage): BaseMessage {
  if (role === 'tool')
    return new ToolMessage({ content: content ?? '', tool_call_id: tool_call_id ?? '' })
  if (role === 'user') return new HumanMessage(content ?? '')
  const calls = (tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
    id,
    name,
    args: JSON.parse(args) as Record<string, unknown>,
  }))
  return new AIMessage({ content: '', tool_calls: calls })
}
