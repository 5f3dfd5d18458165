/** All text of the interface in English, as ICU messages; other languages have the same keys. */
import { PROBLEM_SENTENCES } from '@/lib/core/problem'
import { charged } from './en/charged-messages'
import { commands } from './en/commands-messages'
import { drafts } from './en/drafts-messages'
import { drawer } from './en/drawer-messages'
import { errorLab } from './en/error-lab-messages'
import { figures } from './en/figures-messages'
import { fileList } from './en/file-list-messages'
import { fleet } from './en/fleet-messages'
import { integrity } from './en/integrity-messages'
import { loop } from './en/loop-messages'
import { losses } from './en/losses-messages'
import { meters } from './en/meters-messages'
import { nextRequest } from './en/next-request-messages'
import { panes } from './en/panes-messages'
import { policy } from './en/policy-messages'
import { reading } from './en/reading-messages'
import { errorRules, reasons } from './en/reasons-messages'
import { repair } from './en/repair-messages'
import { report } from './en/report-messages'
import { results } from './en/results-messages'
import { savings } from './en/savings-messages'
import { share } from './en/share-messages'
import { shell } from './en/shell-messages'
import { simulator } from './en/simulator-messages'
import { timeline } from './en/timeline-messages'
import { uses } from './en/uses-messages'
import { verdict } from './en/verdict-messages'

export const en = {
  shell,
  panes,
  policy,
  meters,
  savings,
  charged,
  commands,
  timeline,
  reading,
  reasons,
  errorRules,
  repair,
  results,
  report,
  drawer,
  loop,
  integrity,
  errorLab,
  drafts,
  share,
  nextRequest,
  simulator,
  fileList,
  figures,
  fleet,
  losses,
  uses,
  verdict,
  problems: PROBLEM_SENTENCES,
} as const
