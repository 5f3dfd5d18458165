import { type TakenBody, takeBody } from '@/lib/core/formats/read-or-take-body'
import type { PlaygroundStore } from './store'

/**
 * Tells when the text turns out to be requests copied as code that have a JSON body: once for each text, so that one
 * brought back by undo stays as it is.
 */
export function followCopiedRequests(
  store: PlaygroundStore,
  onTaken: (taken: TakenBody) => void,
): void {
  const seen = new Set<number>()
  store.subscribe(({ source, reading }) => {
    if (reading.state !== 'failed' || seen.has(source.id)) return
    const taken = takeBody(source.text, reading.problem)
    if (taken === undefined) return
    seen.add(source.id)
    onTaken(taken)
  })
}
