/** English texts of the first view. They load with the page, so a part that is shown later does not belong here. */
import { PROBLEM_SENTENCES } from '@/lib/core/problem'
import { commands } from './en/commands-messages'
import { drafts } from './en/drafts-messages'
import { drawer } from './en/drawer-messages'
import { figures } from './en/figures-messages'
import { fileList } from './en/file-list-messages'
import { loop } from './en/loop-messages'
import { meters } from './en/meters-messages'
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
import { timeline } from './en/timeline-messages'
import { uses } from './en/uses-messages'
import { verdict } from './en/verdict-messages'

export const firstEn = {
  commands,
  shell,
  panes,
  policy,
  meters,
  savings,
  timeline,
  reading,
  reasons,
  errorRules,
  repair,
  results,
  report,
  drawer,
  loop,
  drafts,
  share,
  fileList,
  figures,
  uses,
  verdict,
  problems: PROBLEM_SENTENCES,
} as const
