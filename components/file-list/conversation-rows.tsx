import { useTranslations } from 'use-intl'
import type { Row } from '@/lib/state/files/file-list-rows'
import type { View } from '@/lib/state/files/file-list-store'
import { FigureCells } from './figure-cells'

/** A row for each conversation of a file, below it. */
export function ConversationRows({
  sessions,
  view,
  isStale,
}: {
  readonly sessions: Row['sessions']
  readonly view: View
  readonly isStale: boolean
}) {
  const t = useTranslations('fileList')
  return sessions.map((session) => (
    <tr key={session.conversation} className="border-line border-b bg-line/25 text-soft text-sm">
      <th scope="row" className="pl-9! text-left font-normal">
        {t('conversation', { number: session.conversation + 1 })}
      </th>
      <FigureCells
        row={{
          formatLabel: undefined,
          model: undefined,
          problems: undefined,
          totals: undefined,
          sessions: [session],
          recommendation: session.recommendation,
        }}
        view={view}
        isStale={isStale}
      />
    </tr>
  ))
}
