import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { restoreModelOverrides } from '@/lib/state/files/session-files'
import { isPassing, type Notice } from '@/lib/state/notices'
import { useDrafts } from '../drafts/drafts-context'
import { useOpenDrawer } from '../drawer/use-open-drawer'
import { useAllTexts } from '../language-provider'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { NoticeList } from '../ui/notice-list'
import { useNoticeItems } from './use-notice-items'
import { loadNewVersion } from './use-offline'

const SECONDS_SHOWN = 8

/**
 * Notices in a corner of the page. Errors stay until dismissed. Others leave by themselves, but not while the
 * document is read and counted, or while the pointer or the focus is on a notice.
 */
export function Notices() {
  const t = useTranslations('shell')
  const d = useTranslations('drafts')
  const playground = usePlayground()
  const { actions } = playground
  const drafts = useDrafts()
  const notices = usePlaygroundState((state) => state.notices)
  const [, openDrawer] = useOpenDrawer()
  const hasTexts = useAllTexts(notices.length > 0)
  const isWorking = usePlaygroundState(
    ({ reading, counting }) => reading.state === 'reading' || counting !== undefined,
  )
  const [isAttended, setAttended] = useState(false)
  // Those shown together leave together.
  const passing = notices
    .filter(isPassing)
    .map(({ id }) => id)
    .join(' ')
  useEffect(() => {
    if (passing === '' || isWorking || isAttended) return
    const timer = setTimeout(() => {
      for (const id of passing.split(' ')) actions.dismissNotice(Number(id))
    }, SECONDS_SHOWN * 1000)
    return () => clearTimeout(timer)
  }, [actions, passing, isWorking, isAttended])

  const button = (notice: Notice, label: string, act: () => void) => (
    <Button
      kind="link"
      onClick={() => {
        actions.dismissNotice(notice.id)
        act()
      }}
    >
      {label}
    </Button>
  )
  const actionOf = (notice: Notice) => {
    switch (notice.code) {
      case 'worker_failed':
        return button(notice, t('notice.worker_retry'), actions.readAgain)
      case 'link_applied':
        return button(notice, t('notice.link_take_back'), actions.undoLink)
      case 'link_transcript_waits':
        return button(notice, t('notice.link_open_transcript'), actions.openLinkTranscript)
      case 'copied_long_figures':
      case 'figures_long':
        return button(notice, t('notice.show_report'), () => openDrawer('cost'))
      case 'pasted_document':
        return button(notice, t('notice.pasted_replace'), actions.replaceByPasted)
      case 'new_version':
        return button(notice, t('notice.new_version_load'), () => {
          void drafts.flush().then(loadNewVersion)
        })
      case 'draft_offered':
        return button(notice, d('notice.openIt'), () => void drafts.openNewest())
      case 'draft_quota':
      case 'conversation_saved':
      case 'conversation_saved_again':
        return button(notice, d('notice.showRecent'), () => drafts.show('recent'))
      case 'draft_refused':
      case 'draft_failed':
      case 'draft_not_replaced':
        return button(notice, d('notice.saveSession'), () => drafts.show('save'))
      case 'session_prices':
        return button(notice, d('notice.restorePrices'), () => restoreModelOverrides(playground))
      default:
        return undefined
    }
  }
  return (
    <NoticeList
      label={t('notices')}
      dismissLabel={t('dismiss')}
      onDismiss={actions.dismissNotice}
      onAttend={setAttended}
      notices={useNoticeItems(notices, hasTexts, actionOf)}
    />
  )
}
