import type { AgentServer } from '@/lib/state/watch/follow-agent'

/** The proxy, as the page reaches it. */
export const AGENT_SERVER: AgentServer = {
  listen: (on) => {
    // The browser connects again by itself, and then gets the whole state.
    const events = new EventSource('/watch/events')
    const dataOf = (event: Event) => JSON.parse((event as MessageEvent<string>).data)
    for (const name of ['state', 'session'] as const)
      events.addEventListener(name, (event) => on[name](dataOf(event)))
    events.onerror = () => on.lost(events.readyState === EventSource.CLOSED)
    return () => events.close()
  },
  read: async (id, from) => {
    const answer = await fetch(`/watch/sessions/${id}?from=${from}`)
    if (!answer.ok) throw new Error(await answer.text())
    return new Uint8Array(await answer.arrayBuffer())
  },
  post: async (path, body) => {
    const answer = await fetch(`/watch/${path}`, { method: 'POST', body })
    return answer.ok ? undefined : (await answer.text()).trim()
  },
}
