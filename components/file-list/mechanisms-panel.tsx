import { fileComparisonOf } from '@/lib/state/files/compare-files'
import { comparisonKeyOf, shownFilesOf } from '@/lib/state/files/file-list-rows'
import { MechanismHeadline, MechanismTable } from '../mechanisms/mechanism-table'
import { useFileList, useFileListState, usePlaygroundState, useView } from '../playground-context'
import { Button } from '../ui/button'
import { ProgressLine } from '../ui/progress-line'

/** Every mechanism on the files shown together, once that is asked for. */
export function MechanismsPanel() {
  const { t } = useView('fleet.mechanisms')
  const { actions } = useFileList()
  const { files, filter, comparing } = useFileListState((state) => state)
  const key = usePlaygroundState(comparisonKeyOf)
  const keptShare = usePlaygroundState(({ advice }) => advice.keptShare)
  const shown = shownFilesOf({ files, filter, sorting: undefined })
  const { comparison, sessions, readable, done, leftOut } = fileComparisonOf(shown, key, keptShare)
  if (readable === 0) return null
  const { done: at = 0, all = 1 } = comparing ?? {}
  const isOld = done < readable
  const [label, act] =
    comparing === undefined
      ? [t('compare'), actions.compareMechanisms]
      : [t('stop'), actions.stopComparing]
  const note = [
    comparing && t('comparing', { done: Math.floor(at), all }),
    comparison && isOld && t('old', { done, all: readable }),
    leftOut > 0 && t('leftOut', { count: leftOut }),
  ]
  return (
    <section
      aria-label={t('label')}
      className="@container flex shrink-0 flex-col gap-2 px-6 pb-3 max-lg:px-0"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="font-medium">
          {comparison === undefined ? t('label') : t('together', { count: sessions })}
        </h3>
        {isOld && (
          <Button size="small" onClick={() => void act()}>
            {label}
          </Button>
        )}
        <p className="text-soft tabular-nums">{note.filter(Boolean).join(' ')}</p>
        {comparing && (
          <ProgressLine label={t('progress')} share={at / all} className="basis-full" />
        )}
      </div>
      {comparison !== undefined && (
        <>
          <MechanismHeadline comparison={comparison} />
          <MechanismTable {...{ comparison, isOld }} windowTurns={1} />
          <p className="max-w-[80ch] text-soft text-sm">{t('explain')}</p>
        </>
      )}
    </section>
  )
}
