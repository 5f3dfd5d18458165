import { newKey } from './new-key'

export interface DraftNames {
  /** Id of a document's draft; a new id for a new document. */
  readonly draftOf: (document: number) => string
  /** The last revision of a draft that this tab knows. */
  readonly revisionOf: (draft: string) => string | undefined
  readonly learn: (document: number, draft: string, revision: string | undefined) => void
  /** Gives the document a new draft, because another tab has the old one. */
  readonly part: (document: number) => void
}

/** Assigns drafts to the documents of this tab. */
export function createDraftNames(): DraftNames {
  const drafts = new Map<number, string>()
  const revisions = new Map<string, string>()
  return {
    draftOf: (document) => {
      const draft = drafts.get(document) ?? newKey()
      drafts.set(document, draft)
      return draft
    },
    revisionOf: (draft) => revisions.get(draft),
    learn: (document, draft, revision) => {
      drafts.set(document, draft)
      if (revision !== undefined) revisions.set(draft, revision)
    },
    part: (document) => void drafts.delete(document),
  }
}
