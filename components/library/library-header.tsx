'use client'

import { useTranslations } from 'use-intl'
import { libraryTotalsOf } from '@/lib/state/library-rows'
import { libraryTable } from '@/lib/state/library-table'
import { useLibrary, useLibraryState, usePlayground } from '../playground-context'
import { Button } from '../ui/button'
import { writeClipboard } from '../write-clipboard'

/** What is in the list, what is being done, and what can be done with all of it. */
export function LibraryHeader() {
  const t = useTranslations('library')
  const { store, actions } = useLibrary()
  const playground = usePlayground()
  const work = useLibraryState((state) => state.work)
  const copy = async (kind: 'csv' | 'tsv') => {
    const state = store.getState()
    const isCopied = await writeClipboard(libraryTable(state, kind))
    if (isCopied) playground.actions.notify('copied_table', { rows: state.files.length })
    else playground.actions.notify('copy_failed', {}, 'error')
  }
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1 max-lg:mb-2">
      <h2 className="font-semibold text-lg max-lg:hidden">{t('title')}</h2>
      <p className="min-w-0 flex-1 text-soft max-lg:basis-full" role="status">
        <Standing />
      </p>
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

/** How far the reading is; at rest, what was found. */
function Standing() {
  const t = useTranslations('library')
  const { actions } = useLibrary()
  const work = useLibraryState((state) => state.work)
  const isStopped = useLibraryState((state) => state.isStopped)
  const { surveyed, failed, waiting } = useLibraryState(libraryTotalsOf)
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
      {t('summary', { surveyed, failed })}
      <span className="text-faint max-lg:hidden"> · {t('note')}</span>
    </>
  )
}
