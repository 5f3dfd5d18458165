/** All text of the interface in English, as ICU messages; other languages have the same keys. */
import { PROBLEM_SENTENCES } from '@/lib/core/problem'
import { charged } from './en/charged-messages'
import { commands } from './en/commands-messages'
import { cost } from './en/cost-messages'
import { drafts } from './en/drafts-messages'
import { embed } from './en/embed-messages'
import { errorLab } from './en/error-lab-messages'
import { fileList } from './en/file-list-messages'
import { fleet } from './en/fleet-messages'
import { fleetReport } from './en/fleet-report-messages'
import { integrity } from './en/integrity-messages'
import { losses } from './en/losses-messages'
import { meters } from './en/meters-messages'
import { nextRequest } from './en/next-request-messages'
import { notices } from './en/notices-messages'
import { panes } from './en/panes-messages'
import { policy } from './en/policy-messages'
import { reading } from './en/reading-messages'
import { repair } from './en/repair-messages'
import { repeatedCalls } from './en/repeated-calls-messages'
import { report } from './en/report-messages'
import { share } from './en/share-messages'
import { simulator } from './en/simulator-messages'
import { uses } from './en/uses-messages'
import { firstEn } from './first-en'

export const en = {
  ...firstEn,
  shell: { ...firstEn.shell, notice: notices },
  panes: { ...firstEn.panes, ...panes },
  policy,
  meters: { ...firstEn.meters, ...meters },
  cost: { ...firstEn.cost, ...cost },
  reading: { ...reading, badge: { ...firstEn.reading.badge, ...reading.badge } },
  repair,
  report: { ...firstEn.report, ...report },
  loop: { ...firstEn.loop, repeatedCalls },
  drafts: { ...firstEn.drafts, ...drafts },
  share: { ...firstEn.share, ...share },
  fileList: { ...firstEn.fileList, ...fileList },
  uses: { ...firstEn.uses, ...uses },
  commands,
  charged,
  embed,
  integrity,
  errorLab,
  nextRequest,
  simulator,
  fleet,
  fleetReport,
  losses,
  problems: PROBLEM_SENTENCES,
} as const
