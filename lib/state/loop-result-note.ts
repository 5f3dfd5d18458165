import { describeProblem, ReadError } from '@/lib/core/problem'
import { parseJsonTree } from '@/lib/core/text/json-tree'
import type { OwnResult } from './loop-follow-up'

/** How a result given by hand will be sent; the words are the catalogue's. */
export type ResultNote = {
  readonly kind: 'notRun' | 'isEmpty' | 'isText' | 'isJson' | 'brokenJson' | 'isFailure'
  readonly values: { readonly reason: string; readonly code: string }
}

export function resultNote(own: OwnResult | undefined): ResultNote {
  const note = (kind: ResultNote['kind'], reason = ''): ResultNote => {
    return { kind, values: { reason, code: own?.code ?? '' } }
  }
  if (own === undefined) return note('notRun')
  if (own.isError) return note('isFailure')
  const text = own.text.trim()
  if (text === '') return note('isEmpty')
  if (!/^[[{]/.test(text)) return note('isText')
  try {
    parseJsonTree(own.text)
    return note('isJson')
  } catch (error) {
    if (error instanceof ReadError) return note('brokenJson', describeProblem(error.problem))
    throw error
  }
}
