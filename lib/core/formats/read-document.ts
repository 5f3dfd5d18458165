import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import { describeJson } from './describe-json'
import type { Evidence, Format } from './format'
import { openaiChat } from './openai-chat'
import { openSource, type SourceDocument } from './source-document'

/** Every format, in the order in which they are tried. */
export const FORMATS: readonly Format[] = [openaiChat]

export interface ReadDocument {
  readonly source: SourceDocument
  readonly format: Format
  readonly evidence: Evidence
  readonly conversations: readonly ReadConversation[]
  readonly problems: readonly Problem[]
}

/**
 * Reads a text under the first format that recognises it.
 * Throws a `ReadError` when it is no JSON, no conversation, or one too broken to read.
 * `onProgress` is told the share done, from 0 to 1.
 */
export function readDocument(
  text: string,
  onProgress: (done: number) => void = () => {},
): ReadDocument {
  const source = openSource(text, onProgress)
  for (const format of FORMATS) {
    const evidence = format.recognise(source)
    if (evidence === null) continue
    const { conversations, problems } = format.read(source)
    return { source, format, evidence, conversations, problems: [...source.problems, ...problems] }
  }
  const [first] = source.values
  if (source.layout === 'json')
    throw new ReadError('no_conversation', { found: describeJson(first?.value) }, 0)
  throw new ReadError('no_conversation_lines', { lines: source.values.length }, 0)
}
