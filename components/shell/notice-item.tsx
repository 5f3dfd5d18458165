import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { restoreModelOverrides } from '@/lib/state/files/session-files'
import { takeBackLink } from '@/lib/state/link/start-playground'
import type { Notice } from '@/lib/state/notices'
import { useDrafts } from '../drafts/drafts-context'
import { useWords } from '../language-provider'
import { usePlayground, useView } from '../playground-context'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'
import { useProblemSentence } from '../use-figure-format'
import { fetchText } from './fetch-text'
import { loadNewVersion } from './use-offline'

/** What happened, and what is wrong in the input, if something is; then what can be done. */
export function NoticeItem({ notice, action }: { notice: Notice; action?: ReactNode }) {
  const { id, kind, code, problem } = notice
  const { t, actions } = useView('shell')
  const words = useWords()
  const sentence = useProblemSentence()
  const { reasons, ...others } = notice.values
  const said = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [
      name,
      typeof value === 'object' ? words(value) : value,
    ]),
  )
  const reason = Array.isArray(reasons) && { reason: reasons.map(words).join(' ') }
  return (
    <div
      role={kind === 'error' ? 'alert' : undefined}
      className="flex items-start gap-2.5 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 shadow-[0_12px_32px_#0000001f]"
    >
      <span
        aria-hidden
        className={`mt-2.5 size-2 shrink-0 rounded-full ${kind === 'error' ? 'bg-bad' : 'bg-accent'}`}
      />
      <div className="min-w-0 flex-1 break-words py-1">
        {t(`notice.${code}`, { ...said, ...reason } as never)}
        {problem !== undefined && ` ${sentence(problem)}`}
        {action !== undefined && <div className="mt-1">{action}</div>}
      </div>
      <IconButton label={t('dismiss')} onClick={() => actions.dismissNotice(id)} icon={X} />
    </div>
  )
}

/** A notice with the button that follows from it. */
export function NoticeWithAction({ notice }: { readonly notice: Notice }) {
  const t = useTranslations('shell.notice')
  const d = useTranslations('drafts.notice')
  const playground = usePlayground()
  const { actions } = playground
  const drafts = useDrafts()
  const found = actionOf()
  const press = () => {
    actions.dismissNotice(notice.id)
    found?.[1]()
  }
  const button = found && (
    <Button kind="link" onClick={press}>
      {found[0]}
    </Button>
  )
  return <NoticeItem notice={notice} action={button} />

  function actionOf(): readonly [label: string, act: () => void] | undefined {
    switch (notice.code) {
      case 'worker_failed':
        return [t('worker_retry'), actions.readAgain]
      case 'link_applied':
        return [t('link_take_back'), () => void takeBackLink(playground, fetchText)]
      case 'link_transcript_waits':
        return [t('link_open_transcript'), actions.openLinkTranscript]
      case 'copied_long_figures':
      case 'figures_long':
        return [t('show_report'), () => actions.setView('cost')]
      case 'pasted_document':
        return [t('pasted_replace'), actions.replaceByPasted]
      case 'new_version':
        return [t('new_version_load'), () => void drafts.flush().then(loadNewVersion)]
      case 'draft_offered':
        return [d('openIt'), () => void drafts.openNewest()]
      case 'draft_quota':
      case 'conversation_saved':
      case 'conversation_saved_again':
        return [d('showRecent'), () => drafts.show('open')]
      case 'draft_refused':
      case 'draft_failed':
      case 'draft_not_replaced':
        return [d('saveSession'), () => drafts.show('save')]
      case 'session_prices':
        return [d('restorePrices'), () => restoreModelOverrides(playground)]
      default:
        return undefined
    }
  }
}
