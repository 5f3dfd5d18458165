import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { restoreModelOverrides } from '@/lib/state/files/session-files'
import { takeBackLink } from '@/lib/state/link/settings-url'
import type { Notice } from '@/lib/state/notices'
import { useDrafts } from '../drafts/drafts-context'
import { useProblemSentence, useWords } from '../language-provider'
import { usePlayground, useView } from '../playground-context'
import { Button } from '../ui/button'
import { IconButton } from '../ui/tooltip'
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

type Action = readonly [label: string, act: () => void]

/** A notice with the button that follows from it. */
export function NoticeWithAction({ notice }: { readonly notice: Notice }) {
  const { t } = useView('shell.notice')
  const { t: d } = useView('drafts.notice')
  const playground = usePlayground()
  const { actions } = playground
  const drafts = useDrafts()
  const report: Action = [t('show_report'), () => actions.setView('cost')]
  const recent: Action = [d('showRecent'), () => drafts.show('open')]
  const save: Action = [d('saveSession'), () => drafts.show('save')]
  const all: Partial<Record<Notice['code'], Action>> = {
    worker_failed: [t('worker_retry'), actions.readAgain],
    link_applied: [t('link_take_back'), () => void takeBackLink(playground, fetchText)],
    link_transcript_waits: [t('link_open_transcript'), actions.openLinkTranscript],
    ...{ copied_long_figures: report, figures_long: report },
    pasted_document: [t('pasted_replace'), actions.replaceByPasted],
    new_version: [t('new_version_load'), () => void drafts.flush().then(loadNewVersion)],
    draft_offered: [d('openIt'), () => void drafts.openNewest()],
    ...{ draft_quota: recent, conversation_saved: recent, conversation_saved_again: recent },
    ...{ draft_refused: save, draft_failed: save, draft_not_replaced: save },
    session_prices: [d('restorePrices'), () => restoreModelOverrides(playground)],
  }
  const found = all[notice.code]
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
}
