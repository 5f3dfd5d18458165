import { type CopiedRequests, copiedRequests } from '@/lib/core/formats/copied-requests'
import type { PlaygroundStore } from './store'

type WithBody = CopiedRequests & { readonly text: string }

/**
 * Tells when the text turns out to be requests copied as code that have a JSON body: once for each text, so that one
 * brought back by undo stays as it is.
 */
export function followCopiedRequests(
  store: PlaygroundStore,
  takeBody: (requests: WithBody) => void,
): void {
  const seen = new Set<number>()
  store.subscribe(({ source, reading }) => {
    if (reading.state !== 'failed' || reading.problem.code !== 'copied_request') return
    if (seen.has(source.id)) return
    seen.add(source.id)
    const requests = copiedRequests(source.text)
    const { text } = requests ?? {}
    if (requests !== undefined && text !== undefined) takeBody({ ...requests, text })
  })
}
