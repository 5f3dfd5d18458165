/** Reads what an answer states of its usage while it passes, from a few of its bytes, and whether its last event passed. */
import { Duplex, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Decompress } from 'fzstd'
import { statedInResponseText } from '../../core/formats/reading/read-usage'
import { itemsOf, type JsonObject, membersOf, ownMember, parseJson } from '../../core/text/json'

/** A longer answer or event is not read. */
const MOST_BYTES = 4_000_000
const LINE_END = 10

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  // Node 20 has none of its own.
  zstd: () =>
    Duplex.from(async function* (source: AsyncIterable<Buffer>) {
      const unpacked: Uint8Array[] = []
      const frames = new Decompress((piece) => unpacked.push(piece))
      for await (const piece of source) {
        frames.push(piece)
        yield* unpacked.splice(0)
      }
    }),
}

/**
 * Watches a stream; the function returned resolves with the model and usage that it stated, under its own names, and whether
 * its last event passed: a client that leaves then has the whole answer.
 */
export function watchAnswer(
  stream: Readable,
  { type, encoding }: { readonly type: string; readonly encoding: string },
): () => Promise<{ readonly stated: JsonObject | undefined; readonly isComplete: boolean }> {
  const parts = createParts(type.includes('event-stream'))
  const passed = async () => {
    const stated = statedInResponseText(parts.text())
    return { stated, isComplete: parts.isComplete() }
  }
  if (!/json|event-stream/.test(type)) return passed
  const decoder = ownMember(DECODERS, encoding)?.()
  if (decoder === undefined) {
    if (encoding === '' || encoding === 'identity') stream.on('data', parts.take)
    return passed
  }
  decoder.on('data', parts.take)
  const isDecoded = new Promise<void>((resolve) => {
    decoder.on('end', resolve).on('error', () => resolve())
  })
  stream.on('data', (piece: Buffer) => decoder.write(piece))
  return async () => {
    decoder.end()
    await isDecoded
    return passed()
  }
}

/** Last events of Responses and Anthropic; those of Gemini have a reason, that of chat completions is a word. */
const LAST_TYPES = /^(?:response\.(?:completed|incomplete|failed)|message_stop)$/

function isLastEvent(line: string): boolean {
  if (!line.startsWith('data:')) return false
  const data = line.slice('data:'.length).trim()
  if (data === '[DONE]') return true
  if (!/response\.|message_stop|finishReason/.test(data)) return false
  const event = membersOf(parseJson(data))
  // Code Assist wraps what Gemini answers.
  const { candidates } = { ...membersOf(event.response), ...event }
  const hasReason = itemsOf(candidates).some((one) => Boolean(membersOf(one).finishReason))
  return hasReason || LAST_TYPES.test(String(event.type))
}

/**
 * Keeps a whole answer, or the first and the last event of a stream that state usage: Anthropic states its input in the
 * first and its output in the last, all others state everything in the last.
 */
function createParts(isStream: boolean) {
  let held: Buffer[] = []
  let size = 0
  let first: string | undefined
  let last = ''
  let isComplete = false
  const end = () => {
    const text = Buffer.concat(held).toString('utf8')
    held = []
    size = 0
    isComplete ||= isStream && isLastEvent(text)
    if (isStream && !text.includes('"usage')) return
    last = text
    first ??= last
  }
  const add = (piece: Buffer) => {
    size += piece.length
    if (size <= MOST_BYTES) held.push(piece)
    else held = []
  }
  return {
    take: (piece: Buffer) => {
      let start = 0
      const lineEnd = () => (isStream ? piece.indexOf(LINE_END, start) : -1)
      for (let at = lineEnd(); at >= 0; at = lineEnd()) {
        add(piece.subarray(start, at))
        end()
        start = at + 1
      }
      add(piece.subarray(start))
    },
    text: () => {
      end()
      return isStream ? `${first ?? ''}\n${last}` : last
    },
    isComplete: () => isComplete,
  }
}
