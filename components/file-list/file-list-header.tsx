'use client'

import { useTranslations } from 'use-intl'
import { fileListTotalsOf } from '@/lib/state/files/file-list-rows'
import { fileListCsv } from '@/lib/state/files/file-list-table'
import { useFileList, useFileListState, usePlayground } from '../playground-context'
import { writeClipboard } from '../save-file'
import { Button } from '../ui/button'
import { SegmentedControl } from '../ui/segmented-control'
import { FileFilters } from './file-filters'

const VIEWS = ['costs', 'request'] as const

/** Summary of the list, progress, and actions on the whole list. */
export function FileListHeader() {
  const t = useTranslations('fileList')
  const { store, actions } = useFileList()
  const playground = usePlayground()
  const work = useFileListState((state) => state.work)
  const view = useFileListState((state) => state.view)
  const copy = async (kind: 'csv' | 'tsv') => {
    const state = store.getState()
    const isCopied = await writeClipboard(fileListCsv(state, kind))
    if (isCopied) playground.actions.notify('copied_table', { rows: state.files.length })
    else playground.actions.notify('copy_failed', {}, 'error')
  }
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1 max-lg:mb-2">
      <h2 className="font-semibold text-lg max-lg:hidden">{t('title')}</h2>
      <p className="min-w-0 flex-[1_1_14rem] text-soft max-lg:basis-full" role="status">
        <ListStatus />
      </p>
      <FileFilters />
      <SegmentedControl
        label={t('view')}
        value={view}
        options={VIEWS.map((value) => ({ value, label: t(`views.${value}`) }))}
        onValueChange={actions.setView}
      />
      <div className="flex flex-wrap items-center gap-1">
        {work !== undefined && (
          <Button size="small" onClick={actions.stop}>
            {t('stop')}
          </Button>
        )}
        <Button kind="ghost" size="small" title={t('copyTip')} onClick={() => void copy('csv')}>
          {t('copyCsv')}
        </Button>
        <Button kind="ghost" size="small" title={t('copyTip')} onClick={() => void copy('tsv')}>
          {t('copyTsv')}
        </Button>
        <Button kind="ghost" size="small" title={t('clearTip')} onClick={actions.clear}>
          {t('clear')}
        </Button>
      </div>
    </div>
  )
}

/** Progress while files are read; afterwards a summary. */
function ListStatus() {
  const t = useTranslations('fileList')
  const { actions } = useFileList()
  const work = useFileListState((state) => state.work)
  const view = useFileListState((state) => state.view)
  const isStopped = useFileListState((state) => state.isStopped)
  const { measured, failed, waiting } = useFileListState(fileListTotalsOf)
  if (work !== undefined) {
    const { kind, done, all } = work
    return <span>{t(kind, { done: Math.floor(done), all })}</span>
  }
  if (isStopped) {
    return (
      <>
        {t('stopped', { waiting })}{' '}
        <Button kind="link" onClick={actions.resume}>
          {t('resume')}
        </Button>
      </>
    )
  }
  return (
    <>
      {t('summary', { measured, failed })}
      <span className="text-faint max-lg:hidden"> · {t(`notes.${view}`)}</span>
    </>
  )
}
