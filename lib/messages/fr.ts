/** All text of the interface in French, with the keys of `en.ts`. */
import { PROBLEM_SENTENCES, type ProblemCode } from '@/lib/core/problem'
import type { en } from './en'
import { charged } from './fr/charged-messages'
import { commands } from './fr/commands-messages'
import { COMMENT_PHRASES } from './fr/comment-phrases'
import { drafts } from './fr/drafts-messages'
import { drawer } from './fr/drawer-messages'
import { embed } from './fr/embed-messages'
import { errorLab } from './fr/error-lab-messages'
import { figures } from './fr/figures-messages'
import { fileList } from './fr/file-list-messages'
import { fleet } from './fr/fleet-messages'
import { fleetReport } from './fr/fleet-report-messages'
import { integrity } from './fr/integrity-messages'
import { loop } from './fr/loop-messages'
import { losses } from './fr/losses-messages'
import { meters } from './fr/meters-messages'
import { nextRequest } from './fr/next-request-messages'
import { panes } from './fr/panes-messages'
import { PART_PHRASES } from './fr/part-phrases'
import { policy } from './fr/policy-messages'
import { problems } from './fr/problem-messages'
import { reading } from './fr/reading-messages'
import { errorRules, reasons } from './fr/reasons-messages'
import { repair } from './fr/repair-messages'
import { report } from './fr/report-messages'
import { results } from './fr/results-messages'
import { savings } from './fr/savings-messages'
import { SETTING_PHRASES } from './fr/setting-phrases'
import { share } from './fr/share-messages'
import { shell } from './fr/shell-messages'
import { simulator } from './fr/simulator-messages'
import { timeline } from './fr/timeline-messages'
import { uses } from './fr/uses-messages'
import { VALUE_PHRASES } from './fr/value-phrases'
import { verdict } from './fr/verdict-messages'
import { phrasesOf } from './phrases'
import type { Translated } from './translated'
import { typesetFrench } from './typeset-french'

export const fr: Translated<typeof en> = typesetFrench({
  shell,
  panes,
  policy,
  meters,
  charged,
  commands,
  drawer,
  embed,
  loop,
  integrity,
  errorLab,
  drafts,
  nextRequest,
  figures,
  fileList,
  fleet,
  fleetReport,
  losses,
  savings,
  timeline,
  reading,
  reasons,
  errorRules,
  repair,
  results,
  report,
  share,
  simulator,
  uses,
  verdict,
  problems,
})

/** Sentences about bad input arrive as text too: those of settings always, others inside a notice. */
const sentences = Object.fromEntries(
  Object.entries(PROBLEM_SENTENCES).map(([code, english]) => [
    english,
    problems[code as ProblemCode],
  ]),
)

export const phrases = phrasesOf(
  typesetFrench({ ...sentences, ...VALUE_PHRASES, ...PART_PHRASES, ...SETTING_PHRASES }),
)

/** Editors mark the spaces of French marks, so comments have ordinary ones. */
export const comments = phrasesOf(COMMENT_PHRASES)
