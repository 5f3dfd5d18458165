/** What the core says, in French. */
import { PROBLEM_SENTENCES, type ProblemCode } from '@/lib/core/problem'
import { COMMENT_PHRASES } from './fr/comment-phrases'
import { FORMAT_PHRASES } from './fr/format-phrases'
import later from './fr/later.json'
import { PART_PHRASES } from './fr/part-phrases'
import { SETTING_PHRASES } from './fr/setting-phrases'
import { VALUE_PHRASES } from './fr/value-phrases'
import { phrasesOf } from './phrases'
import { typesetFrench } from './typeset-french'

/** Sentences about bad input arrive as text too: those of settings always, others inside a notice. */
const sentences = Object.fromEntries(
  Object.entries(PROBLEM_SENTENCES).map(([code, english]) => [
    english,
    later.problems[code as ProblemCode],
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
