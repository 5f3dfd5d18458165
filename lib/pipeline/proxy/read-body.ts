/** Reads bodies of requests into memory, of which all together have a limited amount. */
import type { IncomingMessage } from 'node:http'

/** A body up to this size is read and masked at once, within a few milliseconds. */
export const SHORT_BODY = 32_000
/** Memory for such bodies besides, so that none waits for long ones that come slowly. */
const SHORT_BODIES = 1_000 * SHORT_BODY

/** Why a body was not read: more bytes than one may have, no memory for it in time, or no next piece in time. */
type BodyRefusal = 'too_large' | 'busy' | 'request_timeout'

/** Why the proxy answers a request itself. */
export type ProxyRefusal = BodyRefusal | 'stranger' | 'no_upgrade'

interface BodyLimits {
  /** Most bytes of one body. */
  readonly body: number
  /** Most bytes of all long bodies under way. */
  readonly memory: number
  /** Milliseconds between two pieces of a body. */
  readonly idle: number
  /** Milliseconds that a body waits for memory. */
  readonly wait: number
}

export interface HeldBody {
  readonly bytes: Buffer
  /**
   * Gives the memory to others; a second time does nothing. `isUnread` says that nothing reads the bytes any more, so that
   * another body can be written over them.
   */
  readonly release: (isUnread?: boolean) => void
}

/** Shares out the memory of bodies. Who fits goes first, so that short bodies pass long ones that wait. */
export function createBodyReader(limits: BodyLimits) {
  let free = limits.memory + SHORT_BODIES
  const waiting = new Set<() => void>()
  const give = (bytes: number) => {
    free += bytes
    for (const retry of waiting) retry()
  }
  const take = (bytes: number, incoming: IncomingMessage): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (isTaken: boolean) => {
        clearTimeout(timer)
        waiting.delete(retry)
        incoming.off('close', leave)
        if (isTaken) free -= bytes
        resolve(isTaken)
      }
      const retry = () => {
        if (bytes <= free - (bytes > SHORT_BODY ? SHORT_BODIES : 0)) end(true)
      }
      const leave = () => end(false)
      const timer = setTimeout(leave, limits.wait)
      incoming.once('close', leave)
      waiting.add(retry)
      retry()
    })
  return async (incoming: IncomingMessage): Promise<HeldBody | BodyRefusal> => {
    const stated = incoming.headers['content-length']
    if (Number(stated) > limits.body) return 'too_large'
    let held = stated === undefined ? Math.min(SHORT_BODY, limits.body) : Number(stated)
    if (!(await take(held, incoming))) return 'busy'
    let isReleased = false
    let bytes: Buffer | BodyRefusal | undefined
    // One of unknown length takes the memory of a long one when it turns out to be long.
    const takeRest = async () => {
      const rest = limits.body - held
      const isTaken = await take(rest, incoming)
      if (isTaken) held += rest
      return isTaken
    }
    const release = (isUnread = false) => {
      if (isReleased) return
      isReleased = true
      give(held)
      if (isUnread) reuse(bytes as Buffer)
    }
    try {
      const whole = stated === undefined ? undefined : allocate(held)
      bytes = await readPieces(incoming, whole, takeRest, limits)
      if (typeof bytes === 'string') {
        release()
        return bytes
      }
      give(held - bytes.length)
      held = bytes.length
      return { bytes, release }
    } catch (error) {
      release()
      throw error
    }
  }
}

/** Memory of bodies that is not in use: a system hands out new memory slowly, page by page. */
const unused: SharedArrayBuffer[] = []
const MOST_UNUSED = 16
const LONGEST_UNUSED = 4_000_000

/** Memory that threads share, so that a long body is not copied for them. */
function allocate(size: number): Buffer {
  if (size <= SHORT_BODY) return Buffer.allocUnsafe(size)
  const isFit = ({ byteLength }: SharedArrayBuffer) => byteLength >= size && byteLength < 2 * size
  const at = unused.findIndex(isFit)
  // The next request of a session is longer.
  const [memory = new SharedArrayBuffer(size * 1.25)] = at === -1 ? [] : unused.splice(at, 1)
  return Buffer.from(memory, 0, size)
}

function reuse({ buffer }: Buffer): void {
  if (!(buffer instanceof SharedArrayBuffer) || buffer.byteLength > LONGEST_UNUSED) return
  if (unused.push(buffer) > MOST_UNUSED) unused.shift()
}

function readPieces(
  incoming: IncomingMessage,
  whole: Buffer | undefined,
  takeRest: () => Promise<boolean>,
  limits: BodyLimits,
): Promise<Buffer | BodyRefusal> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    const end = (outcome: Buffer | BodyRefusal) => {
      incoming.setTimeout(0)
      incoming.off('data', add)
      resolve(outcome)
    }
    const add = (piece: Buffer) => {
      const newSize = size + piece.length
      if (newSize > limits.body) return end('too_large')
      if (whole === undefined) pieces.push(piece)
      else piece.copy(whole, size)
      const hasTurnedLong = size <= SHORT_BODY && newSize > SHORT_BODY
      size = newSize
      if (whole !== undefined || !hasTurnedLong) return
      incoming.pause().setTimeout(0)
      takeRest().then((isTaken) => {
        if (isTaken) incoming.resume().setTimeout(limits.idle)
        else end('busy')
      })
    }
    incoming.setTimeout(limits.idle, () => end('request_timeout'))
    incoming.on('error', reject)
    incoming.on('data', add)
    incoming.on('end', () => end(whole ?? joined(pieces, allocate(size))))
  })
}

function joined(pieces: readonly Buffer[], whole: Buffer): Buffer {
  let at = 0
  for (const piece of pieces) at += piece.copy(whole, at)
  return whole
}
