import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { type ModelMessage, pruneMessages } from 'ai'
import { ClearToolUsesEdit } from 'langchain'
import { maskOldToolResults } from '../../lib/core/mask/mask-old-tool-results'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { type Block, compare, onFresh, PRECISE } from './compare'
import { type ChatMessage, LINE, makeMessages, passOver } from './transcripts'

const POLICY = { ...DEFAULT_POLICY, enabled: true }
const NO_ERRORS = { ...POLICY, keepErrors: false }

export async function measureMasking(): Promise<Block[]> {
  const blocks: Block[] = []
  for (const turns of [30, 267, 2_000]) blocks.push(await compareWithOthers(turns))
  blocks.push(await compareWithScan('Latin-1 text', LINE))
  blocks.push(await compareWithScan('text beyond Latin-1', `→${LINE}`))
  return blocks
}

/** New messages have nothing kept with them; their texts are shared, as no case reads them. */
function renewed<Message extends object>(messages: readonly Message[]): Message[] {
  return messages.map((message) => ({ ...message }))
}

/** Each run gets the request of one turn more, from half of the turns on, and then from there again. */
function growing<Message>(
  messages: readonly Message[],
  run: (request: Message[]) => unknown,
): () => unknown {
  // Two messages in each turn, after the first one.
  const half = 1 + 2 * Math.floor(messages.length / 4)
  let length = half
  return () => {
    length = length < messages.length ? length + 2 : half
    return run(messages.slice(0, length))
  }
}

function compareWithOthers(turns: number): Promise<Block> {
  const messages = makeMessages({ turns })
  const modelMessages = messages.map(toModelMessage)
  const toolCalls = `before-last-${2 * POLICY.windowTurns}-messages` as const
  const prune = (all: ModelMessage[]) => pruneMessages({ messages: all, toolCalls })
  const mask = (all: readonly ChatMessage[]) => maskOldToolResults(all, NO_ERRORS)
  return compare(
    `Masking the messages of ${turns.toLocaleString('en')} turns, \`keep_errors\` off`,
    [
      { name: '`pruneMessages` of the AI SDK', run: () => prune(modelMessages) },
      { name: '`maskOldToolResults`', run: () => mask(messages), atMost: 1 },
      { name: '`ClearToolUsesEdit` of LangChain', run: clearing(messages) },
      {
        name: '`pruneMessages`, requests that grow by a turn',
        run: growing(modelMessages, prune),
        isBase: true,
      },
      {
        name: '`maskOldToolResults`, requests that grow by a turn',
        run: growing(messages, mask),
        atMost: 1,
      },
      {
        name: '`pruneMessages`, copies that it sees for the first time',
        ...onFresh(() => renewed(modelMessages), prune),
        isBase: true,
      },
      {
        name: '`maskOldToolResults`, copies that it sees for the first time',
        ...onFresh(() => renewed(messages), mask),
        atMost: 1.5,
      },
    ],
    PRECISE,
  )
}

/** LangChain counts tokens to decide whether to clear at all; a counter that reads nothing leaves the clearing alone. */
function clearing(messages: readonly ChatMessage[]): () => Promise<void> {
  const history = messages.map(toLangChain)
  const edit = new ClearToolUsesEdit({
    trigger: { tokens: 1 },
    keep: { messages: POLICY.windowTurns },
  })
  const model = {} as Parameters<typeof edit.apply>[0]['model']
  return () => edit.apply({ messages: [...history], model, countTokens: async () => 1e6 })
}

/** Messages that were just parsed, so that nothing is known about their texts. */
function compareWithScan(kind: string, line: string): Promise<Block> {
  const turns = 267
  const body = JSON.stringify(makeMessages({ turns, line }))
  const messages = parseMessages(body)
  const oldTexts = (all: readonly ChatMessage[]) =>
    all
      .slice(0, -2 * POLICY.windowTurns)
      .flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []))
  return compare(
    `Masking the messages of ${turns} turns, \`keep_errors\` on, ${kind}`,
    [
      {
        name: 'a scan of the texts that can be masked',
        ...onFresh(
          () => oldTexts(parseMessages(body)),
          (texts) => texts.map(passOver),
        ),
      },
      {
        name: '`maskOldToolResults`, the same messages as before',
        run: () => maskOldToolResults(messages, POLICY),
        atMost: 0.6,
      },
      {
        name: '`maskOldToolResults`, messages that it sees for the first time',
        ...onFresh(
          () => parseMessages(body),
          (all) => maskOldToolResults(all, POLICY),
        ),
        atMost: 3,
      },
    ],
    PRECISE,
  )
}

function parseMessages(body: string): ChatMessage[] {
  return JSON.parse(body) as ChatMessage[]
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
