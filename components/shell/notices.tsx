'use client'

import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import type { Notice } from '@/lib/state/store'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { NoticeList } from '../ui/notice-list'

const SECONDS_SHOWN = 6

/** What happened, in a corner: good news goes by itself, errors wait to be dismissed. */
export function Notices() {
  const t = useTranslations('shell')
  const problems = useTranslations('problems')
  const { actions } = usePlayground()
  const notices = usePlaygroundState((state) => state.notices)
  const newestInfo = notices.findLast(({ kind }) => kind === 'info')?.id
  useEffect(() => {
    if (newestInfo === undefined) return
    const timer = setTimeout(() => actions.dismissNotice(newestInfo), SECONDS_SHOWN * 1000)
    return () => clearTimeout(timer)
  }, [actions, newestInfo])

  const textOf = ({ code, values, problem }: Notice) => {
    const text = t(`notice.${code}`, values as never)
    return problem === undefined
      ? text
      : `${text} ${problems(problem.code, problem.values as never)}`
  }
  return (
    <NoticeList
      label={t('notices')}
      dismissLabel={t('dismiss')}
      onDismiss={actions.dismissNotice}
      notices={notices.map((notice) => ({
        id: notice.id,
        kind: notice.kind,
        text: textOf(notice),
        action:
          notice.code === 'worker_restarted' ? (
            <Button
              kind="link"
              onClick={() => {
                actions.dismissNotice(notice.id)
                actions.readAgain()
              }}
            >
              {t('notice.worker_retry')}
            </Button>
          ) : undefined,
      }))}
    />
  )
}
