/**
 * What a message contains of the model's reasoning that a provider checks when the message is sent back.
 * Read in messages of chat completions, Anthropic, Claude Code, Bedrock and Gemini; other formats keep no such keys.
 */
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../text/json'

/**
 * `reasoning_content`: the key of DeepSeek and Moonshot. `signed_thinking`, `unsigned_thinking`: blocks of Anthropic and
 * Bedrock with and without a signature. `thought_signature`: the signature of Gemini on the first call of the message.
 */
export type ReasoningMark =
  | 'reasoning_content'
  | 'signed_thinking'
  | 'unsigned_thinking'
  | 'thought_signature'

/** Returns the marks of one message as it stands in the document, each once. */
export function reasoningMarksOf(value: unknown): readonly ReasoningMark[] {
  if (!isJsonObject(value)) return []
  const marks = new Set<ReasoningMark>()
  if (isText(value.reasoning_content)) marks.add('reasoning_content')
  for (const block of listOf(value.content)) {
    const mark = markOfBlock(block)
    if (mark !== undefined) marks.add(mark)
  }
  const call =
    listOf(value.parts).find((part) => isJsonObject(part.functionCall ?? part.function_call)) ??
    // What Gemini adds to a call of chat completions.
    membersOf(membersOf(listOf(value.tool_calls)[0]?.extra_content).google)
  if (isText(call.thoughtSignature ?? call.thought_signature)) marks.add('thought_signature')
  return [...marks]
}

function markOfBlock(block: JsonObject): ReasoningMark | undefined {
  if (block.type === 'redacted_thinking') return 'signed_thinking'
  if (block.type === 'thinking' && typeof block.thinking === 'string') return signed(block)
  const { reasoningContent: reasoning } = block
  if (!isJsonObject(reasoning)) return undefined
  return isJsonObject(reasoning.reasoningText) ? signed(reasoning.reasoningText) : 'signed_thinking'
}

/** pi has a name of its own for the signature. */
function signed({ signature, thinkingSignature }: JsonObject): ReasoningMark {
  return isText(signature ?? thinkingSignature) ? 'signed_thinking' : 'unsigned_thinking'
}

const listOf = (value: unknown): readonly JsonObject[] => itemsOf(value).filter(isJsonObject)

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

const BINDS_THINKING = /claude[- ](?:fable[- ]5[-.][12]|(?:opus|sonnet|haiku)[- ]5[-.]5)(?!\d)/i

/** True for models that reject a request whose messages before a signed thinking block have changed, by id or by name. */
export function bindsThinking(model: string): boolean {
  return BINDS_THINKING.test(model)
}
