import { FORMAT_PHRASES } from './fr/format-phrases'
import { phrasesOf } from './phrases'
import { typesetFrench } from './typeset-french'

/** What the core says in the first view, in French. */
export const firstPhrases = phrasesOf(typesetFrench(FORMAT_PHRASES))
