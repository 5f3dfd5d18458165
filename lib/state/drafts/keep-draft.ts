/** Keeps what is on the page soon after every change; says when the browser does not let it. */
import type { Playground } from '../playground'
import type { PlaygroundState } from '../store'
import { type DescribedDraft, describeDraft } from './describe-draft'
import type { DraftDatabase } from './draft-database'
import type { DraftLocks } from './draft-locks'
import { createDraftNames } from './draft-names'
import type { DraftNoticeCode } from './draft-notice-code'
import type { LoadedDraft } from './draft-records'
import type { DraftsStore } from './drafts-store'
import { createTextKeeper } from './keep-texts'
import { type RevivedDraft, reviveDraft } from './revive-draft'

/** Not put off by further changes: in the middle of a drag the newest state is kept too. */
const MILLISECONDS_BEFORE_KEEPING = 300

export interface KeeperSurroundings {
  readonly database: DraftDatabase
  readonly locks: DraftLocks
  /** The draft this tab comes back to after a reload. */
  readonly rememberDraft: (draft: string) => void
  /** Everything was forgotten in another tab: the page begins anew. */
  readonly beginAnew: () => void
}

export function createDraftKeeper(
  { store, actions }: Playground,
  drafts: DraftsStore,
  { database, locks, rememberDraft, beginAnew }: KeeperSurroundings,
) {
  const names = createDraftNames()
  const texts = createTextKeeper()
  let epoch: Promise<string | undefined> | undefined
  let kept = keptPartsOf(store.getState())
  /** Whether lists can show what the text was recognised as. */
  let hasFacts = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> | undefined
  let isStopped = false
  let hasSaidFailure = false
  let boundedDocument: number | undefined
  let measured = { source: -1, bytes: 0 }

  /** What is forgotten from now on is known by it. */
  const learnEpoch = () => {
    epoch ??= database.epoch()
    return epoch
  }

  const bytesOf = ({ source }: PlaygroundState) => {
    if (measured.source !== source.id) {
      measured = { source: source.id, bytes: new Blob([source.text]).size }
    }
    return measured.bytes
  }

  const hasChanged = () => {
    const now = store.getState()
    if (!isOwnWork(now)) return false
    const hasNewFacts = !hasFacts && now.read?.source.id === now.source.id
    return hasNewFacts || keptPartsOf(now).some((part, index) => part !== kept[index])
  }

  const keep = async (): Promise<void> => {
    const now = store.getState()
    kept = keptPartsOf(now)
    const draft = names.draftOf(now.source.document)
    void locks.hold(draft)
    let described: DescribedDraft | undefined
    const outcome = await database.keep({
      id: draft,
      revision: names.revisionOf(draft),
      epoch: await learnEpoch(),
      build: (keys, added) => {
        described = describeDraft(now, names, bytesOf(now), {
          place: (source) => texts.place(source, { kept: keys, added }),
          sizeOf: texts.sizeOf,
        })
        return described
      },
    })
    if (outcome === 'forgotten') {
      return beginAnew()
    }
    if (outcome === 'overtaken') {
      names.part(now.source.document)
      actions.notify('draft_copied', { name: now.source.name })
      return keep()
    }
    if (described !== undefined) settle(now, described)
  }

  const settle = (now: PlaygroundState, { record, stepsLeftOut }: DescribedDraft) => {
    names.learn(now.source.document, record.id, record.revision)
    hasFacts = record.turns !== undefined
    rememberDraft(record.id)
    texts.retain(sourceIdsOf(now))
    drafts.setState({ keeping: hasChanged() ? 'pending' : 'kept' })
    if (hasSaidFailure) actions.notify('draft_kept_again', { name: now.source.name })
    hasSaidFailure = false
    if (stepsLeftOut > 0 && boundedDocument !== now.source.document) {
      boundedDocument = now.source.document
      actions.notify('draft_history_bounded', { steps: stepsLeftOut }, 'error')
    }
  }

  const fail = (error: unknown) => {
    epoch = undefined
    drafts.setState({ keeping: 'failed' })
    if (hasSaidFailure) return
    hasSaidFailure = true
    const megabytes = bytesOf(store.getState()) / 1e6
    actions.notify(failureOf(error), { reason: reasonOf(error), megabytes }, 'error')
  }

  const schedule = () => {
    if (timer !== undefined || isStopped || !hasChanged()) return
    drafts.setState({ keeping: 'pending' })
    timer = setTimeout(() => void flush(), MILLISECONDS_BEFORE_KEEPING)
  }

  /** Keeps what is not kept yet, now; true when all of it is. */
  const flush = async (): Promise<boolean> => {
    clearTimeout(timer)
    timer = undefined
    if (writing !== undefined) await writing
    const isDue = hasChanged() || drafts.getState().keeping === 'failed'
    if (isDue && !isStopped && writing === undefined) {
      writing = keep()
        .catch(fail)
        .finally(() => {
          writing = undefined
        })
      await writing
      schedule()
    }
    return drafts.getState().keeping !== 'failed'
  }

  /** Puts a draft on the page in the place of what is there; false when its text is gone. A copy is kept as another draft. */
  const adopt = (loaded: LoadedDraft, isCopy: boolean): boolean => {
    let revived: RevivedDraft | undefined
    actions.resume((newId) => {
      revived = reviveDraft(loaded, newId)
      return revived?.resumed
    })
    if (revived === undefined) return false
    const { source } = store.getState()
    for (const { document, draft, revision } of revived.documents) {
      if (!isCopy || document !== source.document) names.learn(document, draft, revision)
    }
    for (const text of revived.texts) texts.learn(text.source, text.ref, text.base)
    kept = keptPartsOf(store.getState())
    hasFacts = loaded.record.turns !== undefined
    drafts.setState({ keeping: 'kept' })
    rememberDraft(loaded.record.id)
    if (revived.stepsLost > 0) {
      actions.notify('draft_incomplete', { steps: revived.stepsLost }, 'error')
    }
    return true
  }

  return {
    adopt,
    flush,
    /** Keeps every change from now on; returns the way to stop. */
    follow: () => {
      learnEpoch().catch(() => {})
      return store.subscribe(schedule)
    },
    /** Keeps nothing any more: what there is is being forgotten. */
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      drafts.setState({ keeping: 'nothing' })
    },
    draftOfPage: () => names.draftOf(store.getState().source.document),
  }
}

/** What a draft is written anew for when it changes. */
function keptPartsOf(state: PlaygroundState): readonly unknown[] {
  const { source, policy, pinned, history, model, extras, conversation, linkConversation } = state
  return [source, policy, pinned, history, model, extras, linkConversation ?? conversation]
}

/** A sample as it came is nobody's work. */
function isOwnWork({ source, history, extras }: PlaygroundState): boolean {
  const hasSteps = history.past.length > 0 || history.future.length > 0
  const isOwnText = source.text !== '' && source.origin.kind !== 'sample'
  return hasSteps || isOwnText || (extras[source.document]?.notes ?? '') !== ''
}

function sourceIdsOf({ source, history }: PlaygroundState): Set<number> {
  const steps = [...history.past, ...history.future]
  return new Set([source.id, ...steps.map(({ snapshot }) => snapshot.source.id)])
}

function failureOf(error: unknown): DraftNoticeCode {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (name === 'QuotaExceededError') return 'draft_quota'
  const isRefused = ['SecurityError', 'InvalidStateError', 'UnknownError', 'ReferenceError']
  return isRefused.includes(name) ? 'draft_refused' : 'draft_failed'
}

/** What a browser gave as its reason; to stand within a sentence, so without a full stop of its own. */
export function reasonOf(error: unknown): string {
  const isError = error instanceof Error || error instanceof DOMException
  return (isError ? error.message : String(error)).replace(/\.$/, '')
}
