/** Offers to replace the text when a whole document is pasted into another one; a sample is replaced without a question. */

import type { CopiedRequests } from '@/lib/core/formats/network/recognise-copied-requests'
import type { TextSlices } from '@/lib/core/text/span'
import type { RunJob } from '@/lib/worker/jobs'
import { nextTask } from '@/lib/worker/run-in-steps'
import type { NoticeCode } from '../notices'
import type { PlaygroundStore } from '../store'
import { pastedName, type SourceText } from './document-slice'
import { LONGEST_AT_ONCE } from './large-text'
import { slicesOf } from './selectors'

const NOTICE = 'pasted_document' satisfies NoticeCode

export function createPasteActions(
  { getState: get, setState: set, subscribe }: PlaygroundStore,
  run: RunJob,
  notify: (code: NoticeCode) => void,
  openPasted: (text: string, name: string) => void,
) {
  const withdraw = () =>
    set(({ notices }) => ({
      pasted: undefined,
      notices: notices.filter(({ code }) => code !== NOTICE),
    }))
  // Once another document is open, or the paste is undone, there is nothing to offer.
  subscribe(({ pasted, source }) => {
    if (pasted === undefined) return
    if (source.document !== pasted.before.document || source.id === pasted.before.id) withdraw()
  })
  /** Replaces the whole text by the pasted one. Undo brings back the text before the paste. */
  const replaceByPasted = () => {
    const { pasted, source, history } = get()
    if (pasted === undefined) return
    const { text, before, after } = pasted
    // The step of the paste goes, unless it is part of a longer one.
    const { past } = history
    const isStep = past.at(-1)?.snapshot.source.id === before.id
    if (source.id === after)
      set({ source: before, history: { ...history, past: isStep ? past.slice(0, -1) : past } })
    withdraw()
    openPasted(text, pastedName(text))
  }
  return {
    /** Offers to replace the whole text, if the pasted text is a whole document. */
    offerReplacing: async (text: string, before: SourceText): Promise<void> => {
      const { source, read } = get()
      const isInside = source.document === before.document && source.id !== before.id
      if (!isInside || before.text.trim() === '' || text.trim() === '') return
      const outcome = await run('recognise', { text })
      if (outcome.state !== 'done' || outcome.output === undefined) return
      const isSample = before.origin.kind === 'sample'
      // Lines are added to a document of lines.
      if (!isSample && outcome.output.layout === 'jsonl' && read?.model.layout === 'jsonl') return
      if (get().source.document !== before.document) return
      set({ pasted: { text, before, after: source.id } })
      if (isSample) replaceByPasted()
      else notify(NOTICE)
    },
    replaceByPasted,
  }
}

const STREAMED = '\ndata:'
const CHARS_OF_PART = 1_000_000

/** Requests copied as code or streamed, in a new text. Its code does not load for a sample of plain JSON. */
export async function copiedRequestsIn(source: SourceText): Promise<CopiedRequests | undefined> {
  const isPlainSample = source.origin.kind === 'sample' && !source.text.includes(STREAMED)
  if (isPlainSample || (await isLongJson(slicesOf(source)))) return undefined
  // Without its code, the worker reads the text as it is, and says what it is.
  const code = await import('@/lib/core/formats/network/recognise-copied-requests').catch(
    () => undefined,
  )
  return code?.recogniseCopiedRequests(source.text)
}

/** True for a long text that begins like JSON and has no line of streamed events. Reads it part by part. */
async function isLongJson(text: TextSlices): Promise<boolean> {
  if (text.length <= LONGEST_AT_ONCE || !/^\s*[[{]/.test(text.slice(0, CHARS_OF_PART))) return false
  for (let start = 0; start < text.length; start += CHARS_OF_PART) {
    const part = text.slice(start, start + CHARS_OF_PART + STREAMED.length - 1)
    if (part.includes(STREAMED)) return false
    await nextTask()
  }
  return true
}
