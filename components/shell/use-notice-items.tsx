import { type ReactNode, useEffect, useState } from 'react'
import type { Notice } from '@/lib/state/notices'
import { codeMissing } from '../load-with-texts'
import type { NoticeItem } from '../ui/notice-list'

const load = () => import('./notice-text').then(({ NoticeText }) => NoticeText).catch(codeMissing)

/**
 * The notices as a list shows them: none until the texts and the code that writes them are loaded, so that a button does
 * not appear before its sentence. The code loads with the first notice, beside the texts.
 */
export function useNoticeItems(
  notices: readonly Notice[],
  hasTexts: boolean,
  actionOf: (notice: Notice) => ReactNode = () => undefined,
): readonly NoticeItem[] {
  const [NoticeText, setNoticeText] = useState<Awaited<ReturnType<typeof load>>>()
  const isWanted = notices.length > 0
  useEffect(() => {
    if (isWanted) void load().then((component) => setNoticeText(() => component))
  }, [isWanted])
  if (!hasTexts || NoticeText === undefined) return []
  return notices.map((notice) => ({
    id: notice.id,
    kind: notice.kind,
    text: <NoticeText notice={notice} />,
    action: actionOf(notice),
  }))
}
