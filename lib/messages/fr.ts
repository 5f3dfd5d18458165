import { COMMENT_PHRASES } from './fr/comment-phrases'
import { phrasesOf } from './phrases'

/** Editors mark the spaces of French marks, so comments have ordinary ones. */
export const comments = phrasesOf(COMMENT_PHRASES)
