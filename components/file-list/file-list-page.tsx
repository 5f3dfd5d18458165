import { describeProblem } from '@/lib/core/words/english'
import { sessionsOf } from '@/lib/state/costs/shown-session'
import { fileListCsv } from '@/lib/state/files/file-list-csv'
import { fileListTotalsOf, filterChoicesOf } from '@/lib/state/files/file-list-rows'
import { LENGTH_RANGES, NO_FILTER } from '@/lib/state/files/file-list-store'
import {
  useDeferredState,
  useFileList,
  useFileListState,
  usePlayground,
  useView,
} from '../playground-context'
import { copyText } from '../save-file'
import { FileButtons } from '../shell/open-dialog'
import { useGoTo } from '../shell/page-link'
import { useFocusOnArrival } from '../shell/skip-links'
import { Button, linkTo } from '../ui/button'
import { SegmentedControl } from '../ui/segmented-control'
import { Select } from '../ui/select'
import { usePageTitle } from '../use-page-title'
import { FileListTable } from './file-list-table'
import { FleetPanel } from './fleet-panel'
import { MechanismsPanel } from './mechanisms-panel'

/** The listed files with their costs, and one setting for all of them. */
export function FileListPage() {
  const { t } = useView('fileList')
  usePageTitle(t('title'))
  useFocusOnArrival()
  const go = useGoTo()
  const isEmpty = useFileListState(({ files }) => files.length === 0)
  return (
    <main className="flex outline-none min-h-0 flex-1 flex-col">
      <section
        id="files"
        aria-label={t('title')}
        className="flex min-h-0 flex-1 flex-col gap-2 py-3 max-lg:px-4 lg:overflow-auto print:overflow-visible"
      >
        {isEmpty ? (
          <Empty />
        ) : (
          <>
            <FileListHeader />
            <FleetPanel />
            <MechanismsPanel />
            <FileListTable onOpened={() => go('/')} />
          </>
        )}
      </section>
    </main>
  )
}

function Empty() {
  const { t } = useView('fileList')
  const { actions } = useFileList()
  const count = useDeferredState((state) => sessionsOf(state)?.length ?? 0)
  return (
    <div className="m-auto flex max-w-prose flex-col items-center gap-4 rounded-xl border-2 border-line border-dashed p-10 text-center">
      <h2 className="font-semibold text-lg">{t('title')}</h2>
      <p className="text-soft">{t('empty')}</p>
      <div className="flex flex-wrap justify-center gap-2">
        {count > 1 && (
          <Button kind="primary" onClick={() => void actions.listDocument()}>
            {t('listDocument', { count })}
          </Button>
        )}
        <FileButtons />
      </div>
    </div>
  )
}

const VIEWS = ['costs', 'request'] as const

/** Summary of the list, progress, and actions on the whole list. */
function FileListHeader() {
  const { t } = useView('fileList')
  const { store, actions } = useFileList()
  const playground = usePlayground()
  const { work, view, isStopped } = useFileListState((state) => state)
  const { measured, failed, waiting } = useFileListState(fileListTotalsOf)
  const copy = () => {
    const state = store.getState()
    const table = fileListCsv(state, describeProblem)
    void copyText(playground.actions, table, 'copied_table', { rows: state.files.length })
  }
  const actionsOfList = [
    ['copyCsv', t('copyTip'), copy],
    ['clear', t('clearTip'), actions.clear],
  ] as const
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 lg:px-6">
      <h2 className="font-semibold text-lg">{t('title')}</h2>
      <p className="min-w-0 flex-[1_1_14rem] text-soft max-lg:basis-full" role="status">
        {work !== undefined ? (
          <span>{t(work.kind, { done: Math.floor(work.done), all: work.all })}</span>
        ) : isStopped ? (
          <>
            {t('stopped', { waiting })} {linkTo(actions.resume)(t('resume'))}
          </>
        ) : (
          <>
            {t('summary', { measured, failed })}
            <span className="text-faint max-lg:hidden"> · {t(`notes.${view}`)}</span>
          </>
        )}
      </p>
      <FileFilters />
      <SegmentedControl
        label={t('view')}
        value={view}
        options={VIEWS.map((value) => ({ value, label: t(`views.${value}`) }))}
        onValueChange={actions.setView}
      />
      <div className="flex flex-wrap items-center gap-1 max-lg:[&>:first-child:nth-last-child(2)]:-ml-2 print:hidden">
        {work !== undefined && (
          <Button size="small" onClick={actions.stop}>
            {t('stop')}
          </Button>
        )}
        {actionsOfList.map(([name, title, onClick]) => (
          <Button key={name} kind="ghost" size="small" title={title} onClick={onClick}>
            {t(name)}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** No value of a select is empty, and no tool or model has this name. */
const ANY = '\u0000any'

/** Selects by which the table and the recommendation are limited; those with one choice are left out. */
function FileFilters() {
  const { t } = useView('fileList.filter')
  const { actions } = useFileList()
  const filter = useFileListState((state) => state.filter)
  const { tools, models } = filterChoicesOf(useFileListState((state) => state.files))
  const named = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }))
  const lengths = LENGTH_RANGES.map((value) => ({ value, label: t(`lengths.${value}`) }))
  const selects = [
    ...(tools.length > 1 ? [['tool', t('anyTool'), named(tools)] as const] : []),
    ...(models.length > 1 ? [['model', t('anyModel'), named(models)] as const] : []),
    ['length', t('anyLength'), lengths] as const,
  ]
  return (
    <fieldset
      aria-label={t('label')}
      className="flex flex-wrap items-center gap-1.5 text-sm print:hidden"
    >
      {selects.map(([key, any, choices]) => (
        <Select<string>
          key={key}
          kind="small"
          label={t(key)}
          value={filter[key] ?? ANY}
          options={[{ value: ANY, label: any }, ...choices]}
          onValueChange={(value) => actions.setFilter({ [key]: value === ANY ? undefined : value })}
        />
      ))}
      {Object.values(filter).some((value) => value !== undefined) && (
        <Button kind="ghost" size="small" onClick={() => actions.setFilter(NO_FILTER)}>
          {t('clear')}
        </Button>
      )}
    </fieldset>
  )
}
