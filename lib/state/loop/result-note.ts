import { type Problem, ReadError } from '@/lib/core/problem'
import { parseJsonTree } from '@/lib/core/text/json-tree'
import type { CustomResult } from './next-request-inputs'

/** How a result the user typed will be sent, as a key of the message catalogue. */
export type ResultNote = {
  readonly kind: 'notRun' | 'isEmpty' | 'isText' | 'isJson' | 'brokenJson' | 'isFailure'
  readonly values: { readonly code: string }
  /** Why a text is not JSON; only for `brokenJson`. */
  readonly problem: Problem | undefined
}

export function resultNote(result: CustomResult | undefined): ResultNote {
  const note = (kind: ResultNote['kind'], problem?: Problem): ResultNote => {
    return { kind, values: { code: result?.code ?? '' }, problem }
  }
  if (result === undefined) return note('notRun')
  if (result.isError) return note('isFailure')
  const text = result.text.trim()
  if (text === '') return note('isEmpty')
  if (!/^[[{]/.test(text)) return note('isText')
  try {
    parseJsonTree(result.text)
    return note('isJson')
  } catch (error) {
    if (error instanceof ReadError) return note('brokenJson', error.problem)
    throw error
  }
}
