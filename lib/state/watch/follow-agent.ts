/** Follows the sessions of an agent that the proxy serves this page beside. */
import { createStore } from 'zustand/vanilla'
import { completePolicy } from '@/lib/core/policy/complete-policy'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { readPolicyToml, writePolicyToml } from '@/lib/core/share/toml/policy-toml'
import type { WatchedSession, WatchState } from '@/lib/core/share/watched'
import { createJobQueue } from '@/lib/core/steps'
import type { Playground } from '../playground'

/** What the page asks the proxy. */
export interface AgentServer {
  /** Connects, and again whenever the connection is lost; returns how to end it. */
  readonly listen: (on: {
    readonly state: (state: WatchState) => void
    readonly session: (session: WatchedSession) => void
    /** `isForGood` where it does not connect again: another run has another token. */
    readonly lost: (isForGood: boolean) => void
  }) => () => void
  /** The bytes of a session from one on. Throws if there is no answer. */
  readonly read: (id: string, from: number) => Promise<Uint8Array>
  /** Resolves with why it is refused, if it is. Throws if there is no answer. */
  readonly post: (path: string, body: string) => Promise<string | undefined>
}

export interface FollowState {
  readonly connection: 'connecting' | 'open' | 'lost' | 'ended'
  /** The newest first. */
  readonly sessions: readonly WatchedSession[]
  readonly policy?: WatchState['policy']
  /** The session that the page shows. */
  readonly followed?: string | undefined
  /** Bytes of it that are on the page. */
  readonly bytes?: number
  /** True once the user has changed its text. */
  readonly isDetached: boolean
}

export type Follower = ReturnType<typeof followAgent>

/** `remembered` keeps the id of the followed session while the page is loaded again. */
export function followAgent(
  { store: page, actions }: Playground,
  server: AgentServer,
  remembered: Pick<Storage, 'getItem' | 'setItem'>,
) {
  const store = createStore<FollowState>(() => ({
    connection: 'connecting',
    sessions: [],
    isDetached: false,
  }))
  const { getState: get, setState: set } = store
  const inTurn = createJobQueue()
  /** What of the followed session is on the page. */
  let shown: { readonly id: string; readonly bytes: number; readonly text: string } | undefined
  let decoder = new TextDecoder()

  const isShown = () => shown !== undefined && page.getState().source.text === shown.text
  const nameOf = (id: string) => `agent-${id}.jsonl`

  /** Adds what the followed session has grown by. A failed request is made again with the next growth. */
  const grow = async () => {
    const session = get().sessions.find(({ id }) => id === shown?.id)
    if (shown === undefined || session === undefined || session.bytes === shown.bytes) return
    if (!isShown()) return set({ isDetached: true })
    // Another program has written the file anew.
    if (session.bytes < shown.bytes) return open(session.id)
    const { id, bytes } = shown
    const more = await server.read(id, bytes)
    // Meanwhile, the user may have opened or edited another text.
    if (shown.id !== id || !isShown()) return set({ isDetached: true })
    actions.growText(decoder.decode(more, { stream: true }))
    shown = { id, bytes: bytes + more.length, text: page.getState().source.text }
    set({ bytes: shown.bytes })
  }

  const open = async (id: string) => {
    const bytes = await server.read(id, 0)
    decoder = new TextDecoder()
    const text = decoder.decode(bytes, { stream: true })
    const { source } = page.getState()
    // After a reload the page has what there was, with the settings and notes.
    const isSame = source.name === nameOf(id) && text.startsWith(source.text)
    if (!isSame) actions.openText(text, nameOf(id), { kind: 'file' })
    else if (text !== source.text) actions.growText(text.slice(source.text.length))
    shown = { id, bytes: bytes.length, text: page.getState().source.text }
    remembered.setItem('followed-session', id)
    set({ followed: id, bytes: bytes.length, isDetached: false })
  }

  const run = (job: () => Promise<void>) => inTurn(job).catch(() => set({ connection: 'lost' }))

  const follow = (id: string) => void run(() => open(id))

  /** Opens what was followed before, or the first session of a page that shows nothing of the user's. */
  const settle = () => {
    const { sessions, followed } = get()
    if (followed !== undefined) return void run(grow)
    const last = remembered.getItem('followed-session')
    const before = sessions.find(({ id }) => id === last)
    const { name, origin } = page.getState().source
    const isFree = origin.kind === 'none' || origin.kind === 'sample' || name === nameOf(last ?? '')
    const id = isFree ? (before ?? sessions[0])?.id : undefined
    if (id !== undefined) follow(id)
  }

  const end = server.listen({
    state: ({ sessions, policy }) => {
      set({ connection: 'open', policy, sessions: sessions.toSorted((a, b) => b.at - a.at) })
      settle()
    },
    session: (session) => {
      const others = get().sessions.filter(({ id }) => id !== session.id)
      set({ connection: 'open', sessions: [session, ...others] })
      settle()
    },
    lost: (isForGood) => set({ connection: isForGood ? 'ended' : 'lost' }),
  })

  const send = async (path: string, body: string) => {
    const reason = await server.post(path, body).catch((error: Error) => error.message)
    if (reason !== undefined) actions.notify('agent_policy_refused', { reason }, 'error')
  }

  return {
    store,
    follow,
    /** Makes the agent's next request use the policy of the page. */
    apply: () => send('policy', writePolicyToml(page.getState().policy, true)),
    takeBack: () => send('policy/back', ''),
    end,
  }
}

/** The policy that the agent's requests are masked by; undefined while it is unknown. */
export function agentPolicyOf({ policy }: FollowState): MaskPolicy | undefined {
  const read = policy && readPolicyToml(policy.toml)
  return read?.state === 'read' ? completePolicy(read.policy) : undefined
}
