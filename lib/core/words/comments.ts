/** Comments of exports. Those of settings are in the rows of the settings' words. */
import exports from './exports.json' with { type: 'json' }
import settings from './settings.json' with { type: 'json' }
import type { Catalogue, CommentKey, Values } from './words'
import { inWords } from './words'

/** The comments of a language by key. */
export function commentsOf(
  { comments }: { readonly comments: Catalogue },
  rows: Readonly<Record<string, { readonly comment: string }>>,
): Catalogue {
  const ofSettings = Object.entries(rows).map(([key, { comment }]) => [key, comment])
  return { ...comments, ...Object.fromEntries(ofSettings) }
}

export const ENGLISH_COMMENTS = commentsOf(exports, settings)

/** Returns a comment in the language of the export. */
export type Say = (key: CommentKey, values?: Values) => string

export function sayIn(comments: Catalogue): Say {
  return (key, values = {}) => inWords({ key, values }, comments)
}
