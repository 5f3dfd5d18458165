/** All text of the interface in English, as ICU messages; other languages have the same keys. */
import { PROBLEM_SENTENCES } from '@/lib/core/problem'
import { drafts } from './en/drafts'
import { drawer } from './en/drawer'
import { followUp } from './en/follow-up'
import { library } from './en/library'
import { loop } from './en/loop'
import { losses } from './en/losses'
import { meters } from './en/meters'
import { panes } from './en/panes'
import { policy } from './en/policy'
import { reading } from './en/reading'
import { errorRules, reasons } from './en/reasons'
import { repair } from './en/repair'
import { report } from './en/report'
import { runner } from './en/runner'
import { savings } from './en/savings'
import { share } from './en/share'
import { shell } from './en/shell'
import { timeline } from './en/timeline'

export const en = {
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
  report,
  drawer,
  loop,
  drafts,
  share,
  followUp,
  runner,
  library,
  losses,
  problems: PROBLEM_SENTENCES,
} as const
