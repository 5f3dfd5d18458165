import { type ModelMessage, pruneMessages } from 'ai'
import { maskOldToolResults } from '../../lib/core/mask/mask-old-tool-results'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { type Block, compare, onFresh, PRECISE } from './compare'
import { type ChatMessage, LINE, linesOf, makeMessages } from './transcripts'

const POLICY = { ...DEFAULT_POLICY, enabled: true }

export async function measureMasking(): Promise<Block[]> {
  return [
    await compareWithOthers(30),
    await compareWithOthers(2_000),
    await compareWithScan('Latin-1 text', LINE),
    await compareWithScan('text beyond Latin-1', `→${LINE}`),
  ]
}

function compareWithOthers(turns: number): Promise<Block> {
  const messages = makeMessages({ turns })
  const modelMessages = messages.map(toModelMessage)
  const toolCalls = `before-last-${2 * POLICY.windowTurns}-messages` as const
  const prune = (all: ModelMessage[]) => pruneMessages({ messages: all, toolCalls })
  const mask = (all: readonly ChatMessage[]) =>
    maskOldToolResults(all, { ...POLICY, keepErrors: false })
  return compare(
    `Masking the messages of ${turns.toLocaleString('en')} turns, \`keep_errors\` off`,
    [
      { name: '`pruneMessages` of the AI SDK', run: () => prune(modelMessages) },
      { name: '`maskOldToolResults`', run: () => mask(messages), atMost: 1 },
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

/** Messages that were just parsed, so that nothing is known about their texts. */
function compareWithScan(kind: string, line: string): Promise<Block> {
  const turns = 267
  const body = JSON.stringify(makeMessages({ turns, resultOf: linesOf(10, line) }))
  const parse = () => JSON.parse(body) as ChatMessage[]
  const messages = parse()
  const oldTexts = () =>
    parse()
      .slice(0, -2 * POLICY.windowTurns)
      .flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []))
  const mask = (all: readonly ChatMessage[]) => maskOldToolResults(all, POLICY)
  return compare(
    `Masking the messages of ${turns} turns, \`keep_errors\` on, ${kind}`,
    [
      {
        name: 'a scan of the texts that can be masked',
        ...onFresh(oldTexts, (texts) => texts.map(passOver)),
      },
      {
        name: '`maskOldToolResults`, the same messages as before',
        run: () => mask(messages),
        atMost: 0.6,
      },
      {
        name: '`maskOldToolResults`, messages that it sees for the first time',
        ...onFresh(parse, mask),
        atMost: 3,
      },
    ],
    PRECISE,
  )
}

/** A plain scan of a text. */
function passOver(text: string): number {
  let sum = 0
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index)
  return sum
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
