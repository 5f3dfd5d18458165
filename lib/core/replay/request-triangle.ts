/** What each request of a session sends of each result, as squares: a row for each request, a column for each result. */
import type { MaskWindow, PreparedReplay } from './prepare-replay'
import { windowChanges } from './request-changes'
import type { Tokens } from './units'

/** `again`: sent in the request before too, but behind something that changed, so that no cache has it. */
export type SquareKind = 'sent' | 'masked' | 'again'

/** Equal squares of a row, from one column to before another. */
export interface SquareRun {
  readonly kind: SquareKind
  readonly row: number
  readonly from: number
  readonly to: number
}

export interface RequestTriangle {
  readonly rows: number
  readonly columns: number
  readonly runs: readonly SquareRun[]
  /** Tokens of the results that are `again`, over all requests. */
  readonly tokensAgain: Tokens
}

/** In the order of what a square that stands for several shows. */
const KINDS: readonly SquareKind[] = ['sent', 'masked', 'again']

/** At most `most` rows and columns: in a longer session, a square stands for several. */
export function requestTriangle(
  prepared: PreparedReplay,
  window: MaskWindow,
  most: number,
): RequestTriangle {
  const { requests, counts } = prepared.session
  const changes = windowChanges(prepared)
  changes.restart(window)
  const { messageOf, sentItems, state, changed } = changes
  const requestsPerRow = Math.ceil(requests.length / most)
  const resultsPerColumn = Math.ceil(messageOf.length / most)
  const rows = Math.ceil(requests.length / requestsPerRow)
  const columns = Math.ceil(messageOf.length / resultsPerColumn)
  const squares = Array.from({ length: rows }, () => new Uint8Array(columns))
  let tokensAgain = 0
  for (let request = 0; request < requests.length; request++) {
    const count = request < changes.first ? 0 : changes.next(request)
    const sentBefore = sentItems[request - 1] ?? 0
    let firstChanged = Number.POSITIVE_INFINITY
    for (const item of changed.subarray(0, count))
      if (item < sentBefore) firstChanged = Math.min(firstChanged, messageOf[item] as number)
    const row = squares[Math.floor(request / requestsPerRow)] as Uint8Array
    for (let item = 0; item < (sentItems[request] as number); item++) {
      const isMasked = state[item] !== 0
      const isAgain = !isMasked && item < sentBefore && (messageOf[item] as number) > firstChanged
      if (isAgain) tokensAgain += counts.results[item] as Tokens
      const column = Math.floor(item / resultsPerColumn)
      row[column] = Math.max(row[column] as number, isAgain ? 3 : isMasked ? 2 : 1)
    }
  }
  const runs = squares.flatMap((row, at) => {
    const found: SquareRun[] = []
    for (let from = 0, to = 0; from < columns; from = to) {
      while (to < columns && row[to] === row[from]) to++
      const kind = KINDS[(row[from] as number) - 1]
      if (kind !== undefined) found.push({ kind, row: at, from, to })
    }
    return found
  })
  return { rows, columns, runs, tokensAgain }
}
