import { useEffect, useState } from 'react'
import { useFormatter } from 'use-intl'
import { useStore } from 'zustand'
import { isSamePolicy } from '@/lib/core/policy/policy'
import type { WatchedSession } from '@/lib/core/share/watched'
import { maskedInLastRequestOf } from '@/lib/state/costs/request-view'
import { isTrying } from '@/lib/state/costs/tried-mechanism'
import { AGENT_SERVER } from '@/lib/state/watch/agent-server'
import { agentPolicyOf, type Follower, followAgent } from '@/lib/state/watch/follow-agent'
import { useDeferredState, usePlayground, usePlaygroundState, useView } from '../playground-context'
import { Button, linkTo } from '../ui/button'
import { Select } from '../ui/select'

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The sessions of the agent that this page is beside, and the policy that its requests are masked by. */
export function AgentStrip() {
  const { t } = useView('watch')
  const playground = usePlayground()
  const [follower, setFollower] = useState<Follower>()
  useEffect(() => {
    const started = followAgent(playground, AGENT_SERVER, sessionStorage)
    setFollower(started)
    return started.end
  }, [playground])
  if (follower === undefined) return null
  return (
    <section
      aria-label={t('label')}
      className="flex flex-wrap items-center gap-x-6 gap-y-1.5 border-line border-b bg-accent-tint/40 px-6 py-1.5 max-lg:px-4 print:hidden"
    >
      <Sessions follower={follower} />
      <AgentPolicy follower={follower} />
    </section>
  )
}

function Sessions({ follower: { store, follow, rejoin } }: { readonly follower: Follower }) {
  const { t } = useView('watch')
  const format = useFormatter()
  const timeOf = (at: number) => format.dateTime(at, { timeStyle: 'medium', timeZone })
  const of = ({ requests: n, at }: WatchedSession) =>
    t(n === undefined ? 'written' : 'requests', { n: n ?? 0, at: timeOf(at) })
  const { connection, sessions, followed, isDetached, elsewhere, waiting, failed } = useStore(store)
  const isOpen = connection === 'open'
  const away = isDetached ? 'detached' : elsewhere && 'elsewhere'
  const options = sessions.map((session) => ({
    value: session.id,
    label: session.opening || session.id,
    description: of(session),
  }))
  const choice = { value: '', label: t('choose', { n: sessions.length }) }
  const shown = sessions.find(({ id }) => id === followed)
  return (
    <div className="flex min-w-0 flex-1 basis-96 flex-wrap items-center gap-x-3 gap-y-1">
      <span className="flex items-center gap-2 font-medium">
        <span
          aria-hidden
          className={`size-2 rounded-full ${isOpen ? 'animate-pulse bg-good motion-reduce:animate-none' : 'border-2 border-warn'}`}
        />
        {isOpen ? t('live') : t(connection)}
      </span>
      {sessions.length === 0 ? (
        <span className="text-soft">{t('none')}</span>
      ) : (
        <span className="min-w-0 max-w-full *:max-w-[min(24rem,100%)]">
          <Select
            label={t('sessions')}
            kind="small"
            value={followed ?? ''}
            options={followed === undefined ? [choice, ...options] : options}
            onValueChange={(id) => id !== '' && follow(id)}
          />
        </span>
      )}
      <span role="status" className="text-soft text-sm tabular-nums">
        {away ? t.rich(away, { link: linkTo(rejoin) }) : shown && of(shown)}
      </span>
      {failed !== null && (
        <span role="status" className="text-sm text-warn">
          {t('failed', { status: failed.status, at: timeOf(failed.at) })}
        </span>
      )}
      {waiting !== null && (
        <span className="text-soft text-sm">{t('waiting', { at: timeOf(waiting) })}</span>
      )}
    </div>
  )
}

function AgentPolicy({ follower }: { readonly follower: Follower }) {
  const { t, actions } = useView('watch')
  const state = useStore(follower.store)
  const policy = usePlaygroundState((page) => page.policy)
  const isTried = usePlaygroundState(isTrying)
  const masks = useDeferredState(maskedInLastRequestOf)
  const agents = agentPolicyOf(state)
  if (agents === undefined) return null
  const isSame = isSamePolicy(agents, policy)
  const use = !agents.enabled ? 'nothing' : isSame ? 'same' : 'other'
  const { bytes, masked } = state.sessions.find(({ id }) => id === state.followed) ?? {}
  const isCompared = use === 'same' && bytes === state.bytes && !state.isDetached && !isTried
  const problem = state.policy?.problem ?? null
  const isOther = policy.windowTurns !== agents.windowTurns
  const how = !policy.enabled ? 'off' : isOther ? 'other' : 'turns'
  const differs = isCompared && [masked, masks].every((n) => n !== undefined) && masked !== masks
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span
        role="status"
        className={`text-sm ${differs || problem !== null ? 'text-warn' : 'text-soft'}`}
      >
        {problem !== null
          ? t('kept', { problem })
          : differs
            ? t('differs', { sent: masked ?? 0, shown: masks ?? 0 })
            : isTried
              ? t('tried')
              : t(use, { n: agents.windowTurns, how })}
      </span>
      <span className="flex gap-2">
        {use === 'other' && !isTried && (
          <Button size="small" onClick={() => actions.changePolicy(agents)}>
            {t('take')}
          </Button>
        )}
        {state.policy?.canTakeBack === true && (
          <Button size="small" onClick={() => void follower.takeBack()}>
            {t('takeBack')}
          </Button>
        )}
        <Button
          size="small"
          kind="accent"
          disabled={isSame || isTried || state.connection !== 'open'}
          onClick={() => void follower.apply()}
        >
          {t('apply')}
        </Button>
      </span>
    </div>
  )
}
