/** Counts the tokens of requests that have left, one after the other and in pieces, with a cap on each. */

import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MessageTexts, ReadConversation } from '../../core/conversation/conversation'
import type { TokenCounter } from '../../core/mask/decide-by-texts'
import { type BeforeAfter, measureRequest } from '../../core/mask/measure-request'
import { memoizeFor } from '../../core/memoize-for'
import { createJobQueue } from '../../core/steps'
import { countConversation } from '../../core/tokens/count-conversation'
import { loadEncoding } from '../../core/tokens/encoding'
import type { DecidedRequest } from '../mask-request'

/** A few milliseconds' work: longer texts are counted in pieces, and other requests get their turn between two. */
const PIECE_CHARS = 8_000
const SHORT_TEXT = 100
/** What a text takes besides its characters, as if it were so many. */
const CHARS_PER_TEXT = 20
const MOST_KNOWN = 500_000
/** Most characters of a request that are counted because no request before had them; seconds of work. */
const MOST_NEW_CHARS = 4_000_000
/** Most characters of requests that wait to be counted, each of which stays in memory. */
const MOST_WAITING_CHARS = 100_000_000
/** Stands for the tokens of texts beyond the cap where a setting asks for them. */
const CHARS_PER_TOKEN = 4

/** Its tables are the same for every proxy of a process. */
let loading: ReturnType<typeof loadEncoding> | undefined

/**
 * Cuts a text after a word, where no token goes on, so that the tokens of the pieces are those of the text. Where none ends
 * within a piece, as in base64, each cut can add a token.
 */
function* piecesOf(text: string): Generator<string> {
  let start = 0
  for (; text.length - start > PIECE_CHARS; ) {
    const next = text.slice(start, start + PIECE_CHARS + 1)
    const isInPair = (next.charCodeAt(PIECE_CHARS) & 0xfc00) === 0xdc00
    const cut = /^.*[\p{L}\p{N}](?= )/su.exec(next)?.[0].length ?? PIECE_CHARS - Number(isInPair)
    yield text.slice(start, start + cut)
    start += cut
  }
  yield text.slice(start)
}

export type RequestCounter = Awaited<ReturnType<typeof createRequestCounter>>

/**
 * Creates a counter that knows the texts it has counted by their hashes: an agent sends its history with every request, and
 * a proxy for many agents cannot keep the texts.
 */
export async function createRequestCounter(mostNewChars = MOST_NEW_CHARS) {
  loading ??= loadEncoding('o200k_base')
  const encoding = await loading
  const known = new Map<string, number>()
  /** Tokens of the texts of messages that a growing request still has. */
  const counted = new WeakMap<MessageTexts, readonly number[]>()
  /** Calls `onNew` before it counts what is not known. */
  const countPiece = (text: string, onNew: (chars: number) => void = () => {}): number => {
    const key = text.length < SHORT_TEXT ? '' : createHash('sha1').update(text).digest('base64')
    const cached = known.get(key)
    if (cached !== undefined) return cached
    onNew(text.length + CHARS_PER_TEXT)
    const tokens = encoding.countTokens(text)
    if (known.size >= MOST_KNOWN) known.clear()
    if (key !== '') known.set(key, tokens)
    return tokens
  }
  const countTokens: TokenCounter = (text) => {
    let tokens = 0
    for (const piece of piecesOf(text)) tokens += countPiece(piece)
    return tokens
  }
  const countTexts = async (
    conversation: ReadConversation,
  ): Promise<{ countTokens: TokenCounter; isExact: boolean }> => {
    const totals = new Map<string, number>()
    let left = mostNewChars
    let untilTurn = PIECE_CHARS
    const spend = (chars: number) => {
      left -= chars
    }
    const { messageTexts, toolSchemas } = conversation
    const countText = async (text: string): Promise<void> => {
      let tokens = 0
      let done = 0
      for (const piece of left < 0 ? [] : piecesOf(text)) {
        tokens += countPiece(piece, spend)
        done += piece.length
        untilTurn -= piece.length + CHARS_PER_TEXT
        if (left < 0) break
        if (untilTurn > 0) continue
        untilTurn = PIECE_CHARS
        await nextTurn()
      }
      totals.set(text, tokens + Math.ceil((text.length - done) / CHARS_PER_TOKEN))
    }
    for (const one of messageTexts) {
      // Those that can be long; the texts of results are among the contents.
      const texts = [...one.contents, ...one.calls.map((call) => call.arguments)]
      const counts = counted.get(one)
      for (const [at, text] of texts.entries())
        if (counts !== undefined) totals.set(text, counts[at] as number)
        else if (!totals.has(text)) await countText(text)
      if (left >= 0) counted.set(one, counts ?? texts.map((text) => totals.get(text) as number))
    }
    await countText(toolSchemas)
    // The encoding keeps the texts of two generations; here their hashes are enough.
    encoding.forgetOld()
    return { countTokens: (text) => totals.get(text) ?? countTokens(text), isExact: left >= 0 }
  }
  const prepare = (conversation: ReadConversation) =>
    memoizeFor(conversation, countTexts, () => countTexts(conversation))
  const countNow = async (request: DecidedRequest): Promise<BeforeAfter | undefined> => {
    const { conversation, decisions } = request
    const { countTokens, isExact } = await prepare(conversation)
    if (!isExact) return undefined
    const counts = countConversation(conversation, countTokens)
    const placeholders = decisions.map(({ placeholder }) =>
      placeholder === undefined ? 0 : countTokens(placeholder),
    )
    return measureRequest(conversation, counts, decisions, placeholders).tokens
  }
  let waiting = 0
  const enqueue = createJobQueue()
  return {
    countTokens,
    /** Counts the texts of a conversation, once; resolves with a counter that knows them. */
    prepare,
    /** Counts a request when those before it are counted; undefined beyond a cap. */
    count: (request: DecidedRequest): Promise<BeforeAfter | undefined> => {
      const chars = request.conversation.messages.reduce((sum, one) => sum + one.chars, 0)
      if (waiting + chars > MOST_WAITING_CHARS) return Promise.resolve(undefined)
      waiting += chars
      return enqueue(() => countNow(request)).finally(() => {
        waiting -= chars
      })
    },
  }
}
