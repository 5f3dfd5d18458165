import type { WatchState } from '@/lib/core/share/watched'

/** The proxy, as the page reaches it. */
export const AGENT_SERVER = {
  /** Connects, and again whenever the connection is lost, which a new run may refuse; returns how to end it. */
  listen: (on: { state: (state: WatchState) => void; lost: (isRefused: boolean) => void }) => {
    let events: EventSource
    const connect = () => {
      // The browser connects again by itself.
      events = new EventSource('/watch/events')
      events.onmessage = ({ data }) => on.state(JSON.parse(data))
      events.onerror = () => {
        const isRefused = events.readyState === EventSource.CLOSED
        on.lost(isRefused)
        // A new run lets this page in once its address was opened in another tab.
        if (isRefused) addEventListener('focus', connect, { once: true })
      }
    }
    connect()
    return () => {
      removeEventListener('focus', connect)
      events.close()
    }
  },
  /** The bytes of a session from one on. Throws if there is no answer. */
  read: async (id: string, from: number): Promise<Uint8Array> => {
    const answer = await fetch(`/watch/sessions/${id}?from=${from}`)
    if (!answer.ok) throw new Error(await answer.text())
    return new Uint8Array(await answer.arrayBuffer())
  },
  /** Resolves with why it is refused, if it is. Throws if there is no answer. */
  post: async (path: string, body: string): Promise<string | undefined> => {
    const answer = await fetch(`/watch/${path}`, { method: 'POST', body })
    return answer.ok ? undefined : (await answer.text()).trim()
  },
}

export type AgentServer = typeof AGENT_SERVER
