/**
 * Other workers that count texts of a long document. They begin at its end, while the document's worker counts from the
 * start and skips what they have counted. So nothing waits for a helper, and a helper that ends is not missed.
 */
import type { ReadConversation } from '@/lib/core/conversation/conversation'
import { renderPlaceholder } from '@/lib/core/policy/placeholder'
import { countTextsTokens } from '@/lib/core/tokens/count-conversation'
import type { Encoding } from '@/lib/core/tokens/encoding'

/** Starting a helper costs about as much as counting this many characters. */
const FEWEST_CHARS = 4_000_000
const CHARS_PER_MESSAGE = 200_000
/** Shorter texts are counted as fast as they are sent. */
const SHORTEST_TEXT = 64

export type CountHelpers = ReturnType<typeof createCountHelpers>

/** Counts the texts that a document's worker sends to this port. */
export function countForPort(port: MessagePort, { countTokens, forgetOld }: Encoding): void {
  port.onmessage = ({ data }: { data: readonly string[] }) => {
    port.postMessage(data.map(countTokens))
    // The document's worker asks for no text twice, so its texts are not held here, too.
    forgetOld()
  }
}

/** `ask` asks for helpers; each comes as a port, when it comes. */
export function createCountHelpers(
  { learn, isKnown }: Encoding,
  ask: () => void,
  fewestChars = FEWEST_CHARS,
) {
  const ports = new Set<MessagePort>()
  let texts: Iterator<string> | undefined

  const nextTexts = (): string[] => {
    const taken: string[] = []
    let chars = 0
    while (texts !== undefined && chars < CHARS_PER_MESSAGE) {
      const { done, value } = texts.next()
      if (done) break
      if (value.length < SHORTEST_TEXT || isKnown(value)) continue
      taken.push(value)
      chars += value.length
    }
    return taken
  }

  const give = (port: MessagePort): void => {
    const given = nextTexts()
    if (given.length === 0) return
    port.onmessage = ({ data }: { data: readonly number[] }) => {
      for (const [index, tokens] of data.entries()) learn(given[index] as string, tokens)
      give(port)
    }
    port.postMessage(given)
  }

  const stop = (): void => {
    texts = undefined
    for (const port of ports) port.close()
    ports.clear()
  }

  return {
    add: (port: MessagePort): void => {
      ports.add(port)
      give(port)
    },
    /** Lets helpers count a document if it has many texts that are not counted yet. Returns a function that ends their help. */
    help: (conversations: readonly ReadConversation[]): (() => void) => {
      stop()
      let chars = 0
      for (const text of textsFromEnd(conversations)) {
        if (!isKnown(text)) chars += text.length
        if (chars > fewestChars) break
      }
      if (chars <= fewestChars) return stop
      texts = textsFromEnd(conversations)
      ask()
      return stop
    },
  }
}

function* textsFromEnd(conversations: readonly ReadConversation[]): Generator<string> {
  for (let at = conversations.length - 1; at >= 0; at--) {
    const { messageTexts } = conversations[at] as ReadConversation
    for (let index = messageTexts.length - 1; index >= 0; index--) {
      const message = messageTexts[index]
      if (message === undefined) continue
      yield* message.contents
      for (const call of message.calls) yield call.arguments
    }
  }
}

/** Counts the tokens of each result's placeholder; yields characters. */
export function* countPlaceholders(
  { results, resultTexts }: ReadConversation,
  template: string,
  countTokens: Encoding['countTokens'],
): Generator<number, number[]> {
  const counts: number[] = []
  for (const [index, result] of results.entries()) {
    const resultTokens = countTextsTokens(resultTexts[index] ?? [], countTokens)
    const placeholder = renderPlaceholder(template, result, resultTokens)
    counts.push(countTokens(placeholder))
    yield placeholder.length
  }
  return counts
}
