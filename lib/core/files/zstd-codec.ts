/** Registers Zstandard with zip.js: compression method 93, which Inspect's logs use. */
import { registerCodec } from '@zip.js/zip.js/lib/zip-core-custom.js'
import { Decompress } from 'fzstd'

export const ZSTD_METHOD = 93

interface StreamController {
  readonly enqueue: (piece: Uint8Array) => void
}

// The core is compiled without DOM and Node types; both have these streams.
declare const TransformStream: new (transformer: {
  readonly start: (controller: StreamController) => void
  readonly transform: (piece: Uint8Array) => void
  readonly flush: () => void
}) => { readonly readable: unknown; readonly writable: unknown }

class ZstdDecompressionStream {
  readonly readable: unknown
  readonly writable: unknown

  constructor() {
    const zstd = new Decompress()
    const stream = new TransformStream({
      start: (controller) => {
        zstd.ondata = (piece) => controller.enqueue(piece)
      },
      transform: (piece) => zstd.push(piece),
      flush: () => zstd.push(new Uint8Array(0), true),
    })
    this.readable = stream.readable
    this.writable = stream.writable
  }
}

registerCodec({
  compressionMethod: ZSTD_METHOD,
  format: 'zstd',
  DecompressionStream: ZstdDecompressionStream as never,
})
