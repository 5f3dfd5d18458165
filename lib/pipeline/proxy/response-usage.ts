/** Reads what an answer states of its usage while it passes, from a few of its bytes. */
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { statedInResponseText } from '../../core/formats/reading/read-usage'
import { type JsonObject, ownMember } from '../../core/text/json-object'

/** A longer answer or event is not read. */
const MOST_BYTES = 4_000_000
const LINE_END = 10

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Watches a stream; the function returned resolves with the model and usage that it stated, under its own names. */
export function watchUsage(
  stream: Readable,
  { type, encoding }: { readonly type: string; readonly encoding: string },
): () => Promise<JsonObject | undefined> {
  const parts = type.includes('event-stream') ? createLastEvents() : createWholeText()
  if (!/json|event-stream/.test(type)) return async () => undefined
  const decoder = ownMember(DECODERS, encoding)?.()
  if (decoder === undefined) {
    if (encoding === '' || encoding === 'identity') stream.on('data', parts.take)
    return async () => statedInResponseText(parts.text())
  }
  decoder.on('data', parts.take)
  const isDecoded = new Promise<void>((resolve) => {
    decoder.on('end', resolve).on('error', () => resolve())
  })
  stream.on('data', (piece: Buffer) => decoder.write(piece))
  return async () => {
    decoder.end()
    await isDecoded
    return statedInResponseText(parts.text())
  }
}

function createWholeText() {
  let pieces: Buffer[] = []
  let size = 0
  return {
    take: (piece: Buffer) => {
      size += piece.length
      if (size > MOST_BYTES) pieces = []
      else pieces.push(piece)
    },
    text: () => Buffer.concat(pieces).toString('utf8'),
  }
}

/**
 * Keeps the first and the last event that state usage: Anthropic states its input in the first and its output in the last,
 * all others state everything in the last.
 */
function createLastEvents() {
  let line: Buffer[] = []
  let size = 0
  let first: string | undefined
  let last = ''
  const end = () => {
    const whole = line.length === 1 ? (line[0] as Buffer) : Buffer.concat(line)
    line = []
    size = 0
    if (!whole.includes('"usage')) return
    last = whole.toString('utf8')
    first ??= last
  }
  const add = (piece: Buffer) => {
    size += piece.length
    if (size <= MOST_BYTES) line.push(piece)
    else line = []
  }
  return {
    take: (piece: Buffer) => {
      let start = 0
      for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, start)) {
        add(piece.subarray(start, at))
        end()
        start = at + 1
      }
      if (start < piece.length) add(piece.subarray(start))
    },
    text: () => {
      end()
      return `${first ?? ''}\n${last}`
    },
  }
}
