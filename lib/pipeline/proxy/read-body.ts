import type { IncomingMessage } from 'node:http'

/** The whole body of a request; undefined once it has more bytes than the limit. The rest is then discarded. */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    const stop = () => {
      incoming.off('data', take)
      // The client reads an answer only after it has sent its body.
      incoming.resume()
      resolve(undefined)
    }
    const take = (piece: Buffer) => {
      size += piece.length
      if (size > limit) return stop()
      pieces.push(piece)
    }
    incoming.on('error', reject)
    if (Number(incoming.headers['content-length']) > limit) return stop()
    incoming.on('data', take)
    incoming.on('end', () => resolve(Buffer.concat(pieces)))
  })
}
