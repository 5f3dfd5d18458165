import { readDocument } from '../../core/formats/read-document'
import type { MaskPolicy } from '../../core/policy/policy'
import { repairDocument } from '../../core/repair/repair-document'
import { repairEdits } from '../../core/repair/repair-edits'
import { applyEdits } from '../../core/text/span'
import { type DecidedRequest, type MaskOptions, maskRequestBody } from '../mask-request'
import type { RequestSummary } from './request-summary'

/** What becomes of the body of a request. */
export interface RequestChange {
  /** The body to send; undefined if it was not read. */
  readonly body: Buffer | undefined
  /** The body as it came, if it has a conversation. */
  readonly read: string | undefined
  /** What was decided; undefined if it was not read. */
  readonly decided: DecidedRequest | undefined
  readonly report: Pick<
    RequestSummary,
    'masking' | 'maskedResults' | 'repairedCalls' | 'maskingTime'
  >
}

const NOTHING = { maskedResults: 0, repairedCalls: 0, maskingTime: undefined } as const

export const UNTOUCHED: RequestChange = {
  body: undefined,
  read: undefined,
  decided: undefined,
  report: { masking: 'untouched', ...NOTHING },
}

interface ChangeOptions extends MaskOptions {
  readonly repair?: boolean
  readonly shadow?: boolean
}

/** Refuses bytes that are not UTF-8: writing them again would change them. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Repairs and masks a body; one that is no conversation, or that cannot be read, is sent as it came. */
export function changeRequest(
  body: Buffer,
  policy: MaskPolicy,
  { repair = false, shadow = false, ...options }: ChangeOptions,
): RequestChange {
  const startedAt = performance.now()
  try {
    const read = UTF_8.decode(body)
    const repaired = repair && !shadow ? repairRequest(read) : { text: read, calls: 0 }
    const { text, report, decided } = maskRequestBody(repaired.text, policy, options)
    const { maskedResults, outcome } = report
    if (outcome === 'failed' || outcome === 'no_request') return unread(body)
    const isSame = shadow || text === read
    return {
      body: isSame ? body : Buffer.from(text),
      read,
      decided,
      report: {
        masking: maskedResults === 0 ? 'unchanged' : shadow ? 'shadow' : 'masked',
        maskedResults,
        repairedCalls: repaired.calls,
        maskingTime: performance.now() - startedAt,
      },
    }
  } catch {
    return unread(body)
  }
}

function unread(body: Buffer): RequestChange {
  return { body, read: undefined, decided: undefined, report: { masking: 'unread', ...NOTHING } }
}

function repairRequest(text: string): { readonly text: string; readonly calls: number } {
  const { format, conversations } = readDocument(text)
  const edits = repairEdits(repairDocument({ text, format: format.id, conversations }).calls)
  return { text: applyEdits(text, edits), calls: edits.length }
}
