/** Masks messages as frameworks for agents have them in memory: those of the Vercel AI SDK and of LangChain. */
import { addToGroup } from '../core/conversation/add-to-group'
import type { RawCall, RawMessage, RawResult } from '../core/conversation/link-messages'
import { countedTexts, linkMessages } from '../core/conversation/link-messages'
import { rawMessage } from '../core/formats/reading/raw-message'
import { decideByTexts, type TokenCounter } from '../core/mask/decide-by-texts'
import type { MaskPolicy } from '../core/policy/policy'
import { isJsonObject, itemsOf } from '../core/text/json'
import { countRequestTokens } from '../core/tokens/count-conversation'

/** A message of the AI SDK: https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message */
export interface AgentModelMessage {
  readonly role: string
  readonly content: unknown
}

/**
 * Masks the `ModelMessage`s of a step of `generateText` or `streamText`: the output of a masked result becomes a text.
 * Other messages are the same objects. Throws as `maskOldToolResults` does if a counter is missing.
 */
export function maskModelMessages<Message extends AgentModelMessage>(
  messages: readonly Message[],
  policy: MaskPolicy,
  countTokens?: TokenCounter,
): Message[] {
  return maskMessages(messages, readModelMessage, policy, countTokens, (message, own) => {
    let result = 0
    const content = itemsOf(message.content).map((part) => {
      if (!isJsonObject(part) || part.type !== 'tool-result') return part
      const value = own[result++]
      return value === undefined ? part : { ...part, output: { type: 'text', value } }
    })
    return { ...message, content }
  })
}

function readModelMessage({ role, content }: AgentModelMessage): RawMessage {
  if (typeof content === 'string') return rawMessage(role, { contents: [{ text: content }] })
  const parts = itemsOf(content).filter(isJsonObject)
  return rawMessage(role, {
    contents: parts.flatMap(({ type, text }) => (type === 'text' ? [{ text: String(text) }] : [])),
    calls: parts.flatMap(({ type, toolCallId: id, toolName: name, input }): RawCall[] =>
      type === 'tool-call' ? [{ id, name, arguments: jsonText(input) }] : [],
    ),
    results: parts.flatMap(({ type, toolCallId, output }): RawResult[] =>
      type === 'tool-result'
        ? [readOutput(toolCallId, isJsonObject(output) && role === 'tool' ? output : {})]
        : [],
    ),
  })
}

function readOutput(
  callId: unknown,
  { type, value }: Readonly<Record<string, unknown>>,
): RawResult {
  const isFlaggedError = type === 'error-text' || type === 'error-json'
  switch (type) {
    case 'text':
    case 'error-text':
      return { callId, shape: 'text', texts: [{ text: String(value) }], isFlaggedError }
    case 'json':
    case 'error-json':
      return { callId, shape: 'text', texts: [{ text: jsonText(value) }], isFlaggedError }
    default:
      return { callId, ...readBlocks(type === 'content' ? value : undefined), isFlaggedError }
  }
}

/** A message of LangChain: https://reference.langchain.com/javascript/langchain-core/messages/BaseMessage */
export interface AgentLangchainMessage {
  readonly getType: () => string
  readonly content: unknown
}

/** Members of a message that its constructor takes. */
interface LangchainFields extends AgentLangchainMessage {
  readonly id?: unknown
  readonly name?: unknown
  readonly status?: unknown
  readonly artifact?: unknown
  readonly additional_kwargs?: unknown
  readonly response_metadata?: unknown
  readonly tool_call_id?: unknown
  readonly tool_calls?: unknown
}

/** Masks LangChain's messages. A masked `ToolMessage` is a new one of its class; other messages are the same objects. */
export function maskLangchainMessages<Message extends AgentLangchainMessage>(
  messages: readonly Message[],
  policy: MaskPolicy,
  countTokens?: TokenCounter,
): Message[] {
  return maskMessages(messages, readLangchainMessage, policy, countTokens, (message, [content]) => {
    const { id, name, status, artifact, ...others }: LangchainFields = message
    const { tool_call_id, additional_kwargs, response_metadata } = others
    const stated = Object.entries({ id, name, status, artifact }).filter(
      ([, value]) => value !== undefined,
    )
    const Made = message.constructor as new (fields: object) => Message
    const fields = { content, tool_call_id, additional_kwargs, response_metadata }
    return new Made({ ...fields, ...Object.fromEntries(stated) })
  })
}

function readLangchainMessage(message: LangchainFields): RawMessage {
  const { content, tool_call_id: callId, tool_calls, status } = message
  const type = message.getType()
  const isFlaggedError = status === 'error'
  const read =
    typeof content === 'string'
      ? { shape: 'text' as const, texts: [{ text: content }] }
      : readBlocks(content)
  if (type === 'tool') return rawMessage(type, { results: [{ callId, ...read, isFlaggedError }] })
  const calls = itemsOf(tool_calls).filter(isJsonObject)
  return rawMessage(type === 'ai' ? 'assistant' : type, {
    contents: read.texts,
    calls: calls.map(({ id, name, args }) => ({ id, name, arguments: jsonText(args) })),
  })
}

/** Texts of blocks; with any other block among them, they are not masked. */
function readBlocks(content: unknown): Pick<RawResult, 'shape' | 'texts'> {
  const blocks = itemsOf(content)
  const texts = blocks.flatMap((block) =>
    isJsonObject(block) && block.type === 'text' ? [{ text: String(block.text) }] : [],
  )
  const isText = texts.length > 0 && texts.length === blocks.length
  return isText ? { shape: 'text_parts', texts } : { shape: 'other', texts: [] }
}

function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

/** Writes the messages with masked results, of the placeholder of each result; undefined for one that is kept. */
function maskMessages<Message>(
  messages: readonly Message[],
  read: (message: Message) => RawMessage,
  policy: MaskPolicy,
  countTokens: TokenCounter | undefined,
  write: (message: Message, placeholders: readonly (string | undefined)[]) => Message,
): Message[] {
  const raw = messages.map(read)
  const linked = linkMessages(raw)
  const textsOf = (index: number) => linked.results[index]?.texts ?? []
  const decisions = decideByTexts(linked, policy, textsOf, countTokens, (count) =>
    countRequestTokens(raw.map(countedTexts), '', count),
  )
  const placeholders = new Map<number, (string | undefined)[]>()
  for (const [index, { message }] of linked.results.entries())
    addToGroup(placeholders, message, decisions[index]?.placeholder)
  return messages.map((message, index) => {
    const own = placeholders.get(index)
    return own?.some((text) => text !== undefined) ? write(message, own) : message
  })
}
