/** Messages shown to the user until dismissed. Their texts are in `lib/messages`. */

import type { StoreApi } from 'zustand'
import type { Problem } from '@/lib/core/problem'
import type { Phrase, Values, Words } from '@/lib/core/words/words'
import type { Messages } from '@/lib/messages/languages'
import type { DocumentSlice } from './document/document-slice'

export interface Notice {
  readonly id: number
  readonly kind: 'error' | 'info'
  readonly code: NoticeCode
  readonly values: Values
  /** Why something was refused; only for the codes `problem` and `read_as_refused`. */
  readonly problem: Problem | undefined
}

/** Every text of a notice but those of buttons. */
export type NoticeCode = Exclude<
  keyof Messages['shell']['notice'],
  | 'worker_retry'
  | 'link_take_back'
  | 'link_open_transcript'
  | 'show_report'
  | 'pasted_replace'
  | 'new_version_load'
>

export interface NoticesSlice {
  readonly notices: readonly Notice[]
}

export const INITIAL_NOTICES: NoticesSlice = { notices: [] }

const MOST_NOTICES = 5

/** What was copied or saved. Only the last of each kind is shown, and only while its document is open. */
const SUCCESSES: readonly (readonly NoticeCode[])[] = [
  [
    'copied',
    'copied_link',
    'copied_full_link',
    'copied_figures',
    'copied_long_figures',
    'copied_export',
    'copied_table',
  ],
  ['downloaded', 'downloaded_output', 'session_saved'],
]

/** What is said of one document. */
const OF_DOCUMENT: readonly NoticeCode[] = [
  ...SUCCESSES.flat(),
  'formatted',
  'body_extracted',
  'stream_read',
  'stream_read_alone',
  'line_ends',
  'read_as_refused',
  'link_conversation',
]

const successesLike = (code: NoticeCode) => SUCCESSES.find((codes) => codes.includes(code))

/** Notices that ask the user to decide something. */
const ASKING: readonly NoticeCode[] = [
  'link_applied',
  'link_transcript_waits',
  'draft_offered',
  'session_prices',
  'pasted_document',
  'new_version',
]

/** True if the notice leaves after some seconds. Errors and questions stay until dismissed. */
export const isPassing = ({ kind, code }: Notice): boolean =>
  kind === 'info' && !ASKING.includes(code)

/** Removes what was said of the last document once another one is open. */
export function watchNotices({ subscribe, setState }: StoreApi<DocumentSlice & NoticesSlice>) {
  subscribe(({ source, notices }, { source: before }) => {
    // All samples count as one document.
    if (source.document === before.document && source.name === before.name) return
    const others = notices.filter(({ code }) => !OF_DOCUMENT.includes(code))
    if (others.length < notices.length) setState({ notices: others })
  })
}

const saying = ({ values, problem }: Notice) => JSON.stringify([values, problem])

/**
 * Returns the function that shows notices. A notice replaces those with the same code, and a success those of its kind,
 * but different errors add up.
 */
export function createNotify(
  set: (change: (slice: NoticesSlice) => NoticesSlice) => void,
  newId: () => number,
) {
  return (
    code: NoticeCode,
    values: Notice['values'] = {},
    kind: Notice['kind'] = 'info',
    problem?: Problem,
  ) =>
    set(({ notices }) => {
      const notice = { id: newId(), kind, code, values, problem }
      const isReplaced = (other: Notice) =>
        successesLike(code)?.includes(other.code) ??
        (other.code === code && (kind !== 'error' || saying(other) === saying(notice)))
      const others = notices.filter((other) => !isReplaced(other))
      return { notices: [...others, notice].slice(-MOST_NOTICES) }
    })
}

/** A notice covers what is below it, so it lists only this many reasons. */
const MOST_REASONS = 4

/** Values of a notice that lists reasons: their number, the first ones, and the number left out. */
export function reasonValues(reasons: readonly Words[]) {
  const rest = Math.max(0, reasons.length - MOST_REASONS)
  return { count: reasons.length, reasons: reasons.slice(0, MOST_REASONS), rest }
}

/** What is wrong with a link or a session file that was opened. */
type OpenedProblem =
  | { readonly code: 'newer_version' | 'bad_version'; readonly version: Words }
  | { readonly code: 'bad_value'; readonly reason: Phrase }

const CODES = {
  link: { newer_version: 'link_newer', bad_version: 'link_version', bad_value: 'link_value' },
  session: {
    newer_version: 'session_newer',
    bad_version: 'session_version',
    bad_value: 'session_value',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, NoticeCode>>>>

/** Notifies the user of the version of what was opened, and of values that could not be used. */
export function notifyProblems(
  notify: ReturnType<typeof createNotify>,
  kind: keyof typeof CODES,
  problems: readonly OpenedProblem[],
): void {
  const reasons: Phrase[] = []
  for (const problem of problems)
    if (problem.code === 'bad_value') reasons.push(problem.reason)
    else notify(CODES[kind][problem.code], { version: problem.version }, 'error')
  if (reasons.length > 0) notify(CODES[kind].bad_value, reasonValues(reasons), 'error')
}
