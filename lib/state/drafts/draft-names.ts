import { newKey } from './new-key'

export interface DraftNames {
  /** The draft a document is kept as; a new one for a document that is new. */
  readonly draftOf: (document: number) => string
  /** The revision this tab knows of a draft; undefined when it never saw it kept. */
  readonly revisionOf: (draft: string) => string | undefined
  readonly learn: (document: number, draft: string, revision: string | undefined) => void
  /** From now on the document is kept as another draft: the one it had belongs to another tab. */
  readonly part: (document: number) => void
}

/** Which draft each document of this tab is kept as. */
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
