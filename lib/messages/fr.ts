/** All text of the interface in French, with the keys of `en.ts`. */
import { PROBLEM_SENTENCES, type ProblemCode } from '@/lib/core/problem'
import type { en } from './en'
import { firstFr } from './first-fr'
import { charged } from './fr/charged-messages'
import { commands } from './fr/commands-messages'
import { COMMENT_PHRASES } from './fr/comment-phrases'
import { cost } from './fr/cost-messages'
import { drafts } from './fr/drafts-messages'
import { embed } from './fr/embed-messages'
import { errorLab } from './fr/error-lab-messages'
import { fileList } from './fr/file-list-messages'
import { fleet } from './fr/fleet-messages'
import { fleetReport } from './fr/fleet-report-messages'
import { FORMAT_PHRASES } from './fr/format-phrases'
import { integrity } from './fr/integrity-messages'
import { losses } from './fr/losses-messages'
import { meters } from './fr/meters-messages'
import { nextRequest } from './fr/next-request-messages'
import { notices } from './fr/notices-messages'
import { panes } from './fr/panes-messages'
import { PART_PHRASES } from './fr/part-phrases'
import { policy } from './fr/policy-messages'
import { problems } from './fr/problem-messages'
import { reading } from './fr/reading-messages'
import { repair } from './fr/repair-messages'
import { repeatedCalls } from './fr/repeated-calls-messages'
import { report } from './fr/report-messages'
import { SETTING_PHRASES } from './fr/setting-phrases'
import { share } from './fr/share-messages'
import { simulator } from './fr/simulator-messages'
import { uses } from './fr/uses-messages'
import { VALUE_PHRASES } from './fr/value-phrases'
import { phrasesOf } from './phrases'
import type { Translated } from './translated'
import { typesetFrench } from './typeset-french'

export const fr: Translated<typeof en> = typesetFrench({
  ...firstFr,
  shell: { ...firstFr.shell, notice: notices },
  panes: { ...firstFr.panes, ...panes },
  policy,
  meters: { ...firstFr.meters, ...meters },
  cost: { ...firstFr.cost, ...cost },
  reading: { ...reading, badge: { ...firstFr.reading.badge, ...reading.badge } },
  repair,
  report: { ...firstFr.report, ...report },
  loop: { ...firstFr.loop, repeatedCalls },
  drafts: { ...firstFr.drafts, ...drafts },
  share: { ...firstFr.share, ...share },
  fileList: { ...firstFr.fileList, ...fileList },
  uses: { ...firstFr.uses, ...uses },
  commands,
  embed,
  charged,
  integrity,
  errorLab,
  nextRequest,
  simulator,
  fleet,
  fleetReport,
  losses,
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
  typesetFrench({
    ...FORMAT_PHRASES,
    ...sentences,
    ...VALUE_PHRASES,
    ...PART_PHRASES,
    ...SETTING_PHRASES,
  }),
)

/** Editors mark the spaces of French marks, so comments have ordinary ones. */
export const comments = phrasesOf(COMMENT_PHRASES)
