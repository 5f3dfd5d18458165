/** French texts of the first view, with the keys of `first-en.ts`. */
import type { firstEn } from './first-en'
import { drawer } from './fr/drawer-messages'
import { figures } from './fr/figures-messages'
import { first } from './fr/first-messages'
import { FORMAT_PHRASES } from './fr/format-phrases'
import { loop } from './fr/loop-messages'
import { errorRules, reasons } from './fr/reasons-messages'
import { results } from './fr/results-messages'
import { shell } from './fr/shell-messages'
import { timeline } from './fr/timeline-messages'
import { verdict } from './fr/verdict-messages'
import { phrasesOf } from './phrases'
import type { Translated } from './translated'
import { typesetFrench } from './typeset-french'

export const firstFr: Translated<typeof firstEn> = typesetFrench({
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
})

export const firstPhrases = phrasesOf(typesetFrench(FORMAT_PHRASES))
