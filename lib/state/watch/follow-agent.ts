/** Follows the sessions of an agent that the proxy serves this page beside. */
import { createStore } from 'zustand/vanilla'
import { completePolicy } from '@/lib/core/policy/complete-policy'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { readPolicyToml, writePolicyToml } from '@/lib/core/share/toml/policy-toml'
import type { WatchedSession, WatchState } from '@/lib/core/share/watched'
import { createJobQueue } from '@/lib/core/steps'
import type { DocumentModel } from '@/lib/worker/jobs'
import { isCurrent } from '../document/selectors'
import type { Playground } from '../playground'
import type { PlaygroundState } from '../store'
import type { AgentServer } from './agent-server'

/** The sessions are those of runs before, too, the newest first. */
export interface FollowState extends Pick<WatchState, 'sessions' | 'waiting' | 'failed'> {
  readonly connection: 'connecting' | 'open' | 'lost' | 'ended'
  readonly policy?: WatchState['policy']
  /** The session that the page shows. */
  readonly followed?: string | undefined
  /** Bytes of it that are on the page. */
  readonly bytes?: number
  /** True once the user has changed its text. */
  readonly isDetached: boolean
  /** True once the user has chosen a session or conversation: the page stays there. */
  readonly isPinned: boolean
  /** The session that the agent is in, if the page stays with another one or with another conversation of it. */
  readonly elsewhere?: string | undefined
}

export type Follower = ReturnType<typeof followAgent>

/** So many requests make a conversation the one that the agent is in: a request for a title comes alone. */
const ENOUGH = 2

/** `remembered` keeps what is followed while the page is loaded again. */
export function followAgent(
  { store: page, actions }: Playground,
  server: AgentServer,
  remembered: Pick<Storage, 'getItem' | 'setItem'>,
) {
  const store = createStore<FollowState>(() => ({
    connection: 'connecting',
    sessions: [],
    waiting: null,
    failed: null,
    isDetached: false,
    isPinned: false,
  }))
  const { getState: get, setState: set } = store
  const inTurn = createJobQueue()
  /** What of the followed session is on the page. */
  let shown: { readonly id: string; readonly bytes: number; readonly text: string } | undefined
  /** Documents of the sessions that were shown. */
  const documents = new Map<string, number>()
  /** Requests of each session at the last one of the followed. */
  let seen = requestsIn([])

  const isShown = () => shown !== undefined && page.getState().source.text === shown.text
  const nameOf = (id: string) => `agent-${id}.jsonl`
  const pin = (isPinned: boolean) => set({ isPinned, elsewhere: undefined })

  /** Shows a session, or what it has grown by. A failed request is made again with the next growth. */
  const show = async (id: string, isOpened: boolean) => {
    const size = get().sessions.find((session) => session.id === id)?.bytes ?? 0
    // The page may have gone to another one.
    if (!isOpened && shown?.id !== id) return
    // Another program may have written the file anew.
    const isGrown = !isOpened && shown !== undefined && size >= shown.bytes
    const { bytes, text: before } = isGrown && shown ? shown : { bytes: 0, text: '' }
    // A text that is replaced before it is counted would never have figures.
    if (isGrown && (size === bytes || isBusy(page.getState()))) return
    const more = wholeLines(await server.read(id, bytes))
    // Meanwhile, the user may have opened or edited another text.
    const isFollowed = isShown()
    if (isGrown && !isFollowed) return set({ isDetached: true })
    if (more.length === 0) return
    const text = before + new TextDecoder().decode(more)
    const { source } = page.getState()
    // After a reload the page has what there was, with the settings and notes.
    const isSame = source.name === nameOf(id) && text.startsWith(source.text)
    shown = { id, bytes: bytes + more.length, text }
    if (!isGrown) seen = requestsIn(get().sessions)
    const other = isSame ? undefined : { name: nameOf(id), document: documents.get(id) }
    if (!isSame && !isFollowed) actions.openText(text, nameOf(id), { kind: 'file' })
    else if (text !== source.text) actions.followText(text, other)
    documents.set(id, page.getState().source.document)
    remembered.setItem('followed-session', id)
    set({ followed: id, bytes: shown.bytes, isDetached: false })
    place()
  }

  const follow = (id: string, isOpened = true) =>
    inTurn(() => show(id, isOpened)).catch(
      () => get().connection === 'open' && set({ connection: 'lost' }),
    )

  /** Goes to the conversation of the followed text that the agent is in, unless the user has chosen another one. */
  const place = () => {
    const { read, conversation } = page.getState()
    const { followed, isPinned, elsewhere } = get()
    if (read === undefined || !isShown() || read.source.text !== shown?.text) return
    const newest = newestIn(read.model) ?? conversation
    const isThere = newest === conversation
    if (!isThere && !isPinned) actions.chooseConversation(newest)
    else if (isThere !== (elsewhere !== followed))
      set({ elsewhere: isThere ? undefined : followed })
  }

  /** Shows the session that the agent is in, unless the user has chosen one, or a text of his own. */
  const take = ({ sessions: told, ...others }: WatchState) => {
    const { connection, sessions: before, followed: known, isPinned, elsewhere } = get()
    // A run that has ended may have had others.
    const gone = before.filter(({ id }) => told.every((session) => session.id !== id))
    const newestFirst = told.toSorted((one, other) => other.at - one.at)
    set({ ...others, connection: 'open', sessions: [...newestFirst, ...gone] })
    const followed = known ?? remembered.getItem('followed-session') ?? ''
    const { name, origin } = page.getState().source
    const isFree = ['none', 'sample'].includes(origin.kind) || name === nameOf(followed)
    if (known === undefined && !isFree) return
    const own = told.find(({ id }) => id === followed)
    const isNew = connection !== 'open' || known === undefined
    if (isNew) seen = requestsIn([])
    else if (own && before.every(({ id, bytes }) => id !== own.id || bytes !== own.bytes))
      seen = requestsIn(told)
    const isWhere = ({ id, requests = 0 }: WatchedSession) =>
      id === followed || requests - (seen.get(id) ?? 0) >= ENOUGH
    // A new run lists the session that is shown with its next request.
    const agents =
      newestFirst.find(isWhere) ?? (name === nameOf(followed) ? undefined : newestFirst[0])
    if (agents === undefined) return
    const isDetached = shown !== undefined && !isShown()
    if (isDetached) set({ isDetached })
    const shows = (isPinned || isDetached) && own !== undefined ? own : agents
    const isAway = elsewhere === followed ? elsewhere : undefined
    if (own === undefined) pin(false)
    set({ elsewhere: shows === agents ? isAway : agents.id })
    if (isDetached) return
    void follow(shows.id, isNew || shows.id !== followed)
  }

  const end = server.listen({
    state: take,
    lost: (isRefused) => set({ connection: isRefused ? 'ended' : 'lost', waiting: null }),
  })

  const leave = page.subscribe((now, before) => {
    if (shown !== undefined && now.source !== before.source && get().isDetached === isShown()) {
      set({ isDetached: !isShown() })
      // A text of the user stays when it is loaded again.
      remembered.setItem('followed-session', isShown() ? shown.id : '')
    }
    if (isBusy(before) && !isBusy(now) && shown !== undefined) void follow(shown.id, false)
    if (now.read === before.read && now.conversation === before.conversation) return
    // Only the user goes from one to another in a text that stays.
    if (now.read !== undefined && now.read === before.read && isShown())
      pin(now.conversation !== (newestIn(now.read.model) ?? now.conversation))
    place()
  })

  const send = async (path: string, body: string) => {
    const reason = await server.post(path, body).catch((error: Error) => error.message)
    if (reason !== undefined) actions.notify('agent_policy_refused', { reason }, 'error')
  }

  return {
    store,
    /** Shows a session that the user chose, and stays there unless it is the newest. */
    follow: (id: string) => {
      pin(id !== get().sessions[0]?.id)
      void follow(id)
    },
    /** Goes to where the agent is, and follows it from there on. */
    rejoin: () => {
      const { elsewhere, followed = '' } = get()
      pin(false)
      void follow(elsewhere ?? followed)
    },
    /** Makes the agent's next request use the policy of the page. */
    apply: () => send('policy', writePolicyToml(page.getState().policy, true)),
    takeBack: () => send('policy/back', ''),
    end: () => {
      end()
      leave()
    },
  }
}

const requestsIn = (sessions: readonly WatchedSession[]) =>
  new Map(sessions.map(({ id, requests = 0 }) => [id, requests]))

/** Without a line that is still being written. */
const wholeLines = (bytes: Uint8Array) => bytes.subarray(0, bytes.lastIndexOf(10) + 1)

/** True while the text is read or counted. */
const isBusy = (now: PlaygroundState) =>
  now.reading.state === 'reading' || (isCurrent(now) && now.counting !== undefined)

/** The last conversation of the agent itself with more than one request. */
function newestIn({ conversations }: Pick<DocumentModel, 'conversations'>): number | undefined {
  const at = conversations.findLastIndex(({ messages, recorded, isSecondary }) => {
    const requests = recorded ?? messages.filter(({ isAssistant }) => isAssistant)
    return isSecondary !== true && requests.length >= ENOUGH
  })
  return at === -1 ? undefined : at
}

/** The policy that the agent's requests are masked by; undefined while it is unknown. */
export function agentPolicyOf({ policy }: FollowState): MaskPolicy | undefined {
  const read = policy && readPolicyToml(policy.toml)
  return read?.state === 'read' ? completePolicy(read.policy) : undefined
}
