/** English texts of the first view. They load with the page, so a text that is shown later does not belong here. */
import { drawer } from './en/drawer-messages'
import { figures } from './en/figures-messages'
import { first } from './en/first-messages'
import { loop } from './en/loop-messages'
import { errorRules, reasons } from './en/reasons-messages'
import { results } from './en/results-messages'
import { shell } from './en/shell-messages'
import { timeline } from './en/timeline-messages'
import { verdict } from './en/verdict-messages'

export const firstEn = {
  ...first,
  shell,
  timeline,
  reasons,
  errorRules,
  results,
  drawer,
  loop,
  figures,
  verdict,
} as const
