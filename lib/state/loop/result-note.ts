import { describeProblem, ReadError } from '@/lib/core/problem'
import { parseJsonTree } from '@/lib/core/text/json-tree'
import type { CustomResult } from './next-request-inputs'

/** How a result the user typed will be sent, as a key of the message catalogue. */
export type ResultNote = {
  readonly kind: 'notRun' | 'isEmpty' | 'isText' | 'isJson' | 'brokenJson' | 'isFailure'
  readonly values: { readonly reason: string; readonly code: string }
}

export function resultNote(result: CustomResult | undefined): ResultNote {
  const note = (kind: ResultNote['kind'], reason = ''): ResultNote => {
    return { kind, values: { reason, code: result?.code ?? '' } }
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
    if (error instanceof ReadError) return note('brokenJson', describeProblem(error.problem))
    throw error
  }
}
