import { usePlaygroundState, useView } from '../../playground-context'
import { Collapsible } from '../../ui/collapsible'
import { useNextRequest } from '../loop-tools'
import { RequestPreview } from './request-preview'

/** The request after the last tool calls of the conversation shown, with what it holds of the transcript. */
export function NextRequest() {
  const { t } = useView('nextRequest')
  const { t: tLoss } = useView('losses')
  const { shown: built, isOld } = useNextRequest()
  const count = usePlaygroundState(({ read }) => read?.model.conversations.length ?? 0)
  const at = usePlaygroundState(({ conversation }) => conversation)
  if (count === 0) return <p className="text-soft">{t('empty')}</p>
  if (built === undefined || built === null) {
    return <p className="max-w-prose text-soft">{t(built === null ? 'noTurn' : 'working')}</p>
  }
  const { calls, lost, history } = built
  const pending = calls.filter(({ recorded }) => recorded === undefined).length
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      <p className="max-w-[100ch] text-soft text-sm">
        {count > 1 && t('conversation', { number: at + 1, count })}{' '}
        {t(pending === 0 ? 'answered' : 'pending', { pending, calls: calls.length })}{' '}
        {t('history', history)}
      </p>
      {/* What a chat completions request cannot hold. */}
      {lost.length > 0 && (
        <Collapsible label={t('lost.title')} trailing={t('lost.count', { count: lost.length })}>
          <ul className="mt-1 list-disc space-y-1 pl-5 text-soft marker:text-faint">
            {lost.map(({ kind, count: times }) => (
              <li key={kind}>{tLoss(kind, { count: times })}</li>
            ))}
          </ul>
        </Collapsible>
      )}
      <RequestPreview built={built} isOld={isOld} />
    </div>
  )
}
