/** What each request of a session sends of each result, as squares: a row for each request, a column for each result. */
import type { MaskWindow, PreparedReplay } from './prepare-replay'
import type { Tokens } from './prompt-cache'
import { windowChanges } from './request-changes'

/** `again`: sent in the request before too, but behind something that changed, so that no cache has it. */
export type SquareKind = 'sent' | 'masked' | 'again'

/** In the order of what a square that stands for several shows. */
const KINDS: readonly SquareKind[] = ['sent', 'masked', 'again']

/** At most `most` rows and columns: in a longer session, a square stands for several. */
export function requestTriangle(prepared: PreparedReplay, window: MaskWindow, most: number) {
  const { requests, counts } = prepared.session
  const changes = windowChanges(prepared)
  changes.restart(window)
  const { messageOf, sentItems, state, changed } = changes
  const requestsPerRow = Math.ceil(requests.length / most)
  const resultsPerColumn = Math.ceil(messageOf.length / most)
  const rows = Math.ceil(requests.length / requestsPerRow)
  const columns = Math.ceil(messageOf.length / resultsPerColumn)
  const squares = Array.from({ length: rows }, () => new Uint8Array(columns))
  /** Of the results that are `again`, over all requests. */
  let tokensAgain: Tokens = 0
  for (let request = 0; request < requests.length; request++) {
    const count = request < changes.first ? 0 : changes.next(request)
    const sentBefore = sentItems[request - 1] ?? 0
    let firstChanged = Number.POSITIVE_INFINITY
    for (const item of changed.subarray(0, count))
      firstChanged = Math.min(firstChanged, messageOf[item] as number)
    const row = squares[Math.floor(request / requestsPerRow)] as Uint8Array
    for (let item = 0; item < (sentItems[request] as number); item++) {
      const isMasked = state[item] !== 0
      const isAgain = !isMasked && item < sentBefore && (messageOf[item] as number) > firstChanged
      if (isAgain) tokensAgain += counts.results[item] as Tokens
      const column = Math.floor(item / resultsPerColumn)
      row[column] = Math.max(row[column] as number, isAgain ? 3 : isMasked ? 2 : 1)
    }
  }
  /** Equal squares of a row, from one column to before another. */
  const runs = squares.flatMap((squares, row) => {
    const found: { kind: SquareKind; row: number; from: number; to: number }[] = []
    for (let from = 0, to = 0; from < columns; from = to) {
      while (to < columns && squares[to] === squares[from]) to++
      const kind = KINDS[(squares[from] as number) - 1]
      if (kind !== undefined) found.push({ kind, row, from, to })
    }
    return found
  })
  return { rows, columns, runs, tokensAgain }
}
