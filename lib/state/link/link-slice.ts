/** State of the link in the address: what it asks for that is not shown yet, and what it changed. */
import type { CostsSlice } from '../costs/costs-slice'
import type { DocumentSlice } from '../document/document-slice'
import type { PolicySlice } from '../policy/policy-slice'

/** The state before a link changed it. */
export interface BeforeLink
  extends Pick<PolicySlice, 'policy' | 'pinned'>,
    Pick<CostsSlice, 'model'>,
    Pick<DocumentSlice, 'view' | 'conversation'>,
    Pick<LinkSlice, 'unknownLinkPairs'> {}

export interface LinkSlice {
  /** Pairs that this version does not know; new links repeat them unchanged. */
  readonly unknownLinkPairs: readonly (readonly [string, string])[]
  /** Index of the conversation a link asks for, until its document is read. */
  readonly linkConversation: number | undefined
  /** A transcript from a link that would replace the user's own, until the user decides. */
  readonly linkTranscript: string | undefined
  /** Set by a link that was opened over the running page. */
  readonly beforeLink: BeforeLink | undefined
}

export const INITIAL_LINK: LinkSlice = {
  unknownLinkPairs: [],
  linkConversation: undefined,
  linkTranscript: undefined,
  beforeLink: undefined,
}
