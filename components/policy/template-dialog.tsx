import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { shownTool } from '@/lib/core/conversation/conversation'
import type { TemplateCheck } from '@/lib/core/results/check-template'
import { conversationOf, countsOf } from '@/lib/state/document/selectors'
import {
  checkChoices,
  maskedResultsOf,
  type TemplateChoice,
  templateChoices,
} from '@/lib/state/policy/policy-facts'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
import { Collapsible } from '../ui/collapsible'
import { Dialog, type DialogState } from '../ui/dialog'
import { SwitchField } from '../ui/switch-field'
import { ScrollRegion, VirtualRows } from '../ui/table'
import { remInPixels } from '../ui/use-width'
import { TemplateList, useTemplateName } from './template-list'

/** The placeholder templates side by side, checked on the shown conversation. */
export function TemplateDialog(state: DialogState) {
  const t = useTranslations('policy.templates')
  return (
    <Dialog
      title={t('title')}
      description={t('description')}
      className="w-[min(64rem,calc(100vw-2rem))]"
      {...state}
    >
      <Templates />
    </Dialog>
  )
}

function Templates() {
  const t = useTranslations('policy.templates')
  const current = usePlaygroundState(({ policy }) => policy.placeholderTemplate)
  // The user's own template stays in the list after another one is chosen.
  const [own] = useState(current)
  const choices = templateChoices(own)
  const checks = useTemplateChecks(choices)
  const results = usePlaygroundState(maskedResultsOf)
  const all = usePlaygroundState((state) => conversationOf(state)?.results.length)
  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft text-sm">
        {results.length === 0
          ? t('noResults')
          : t(all === results.length ? 'ofAll' : 'ofMasked', { count: results.length })}
      </p>
      <TemplateList choices={choices} checks={checks} current={current} />
      {checks !== undefined && results.length > 0 && (
        <Collapsible label={t('byResult')}>
          <TemplateMatrix choices={choices} checks={checks} results={results} />
        </Collapsible>
      )}
      <p className="max-w-prose text-soft text-sm">{t('checks')}</p>
    </div>
  )
}

/** Asks the worker for the checks; undefined until it answers, and without a document. */
function useTemplateChecks(choices: readonly TemplateChoice[]) {
  const { run } = usePlayground()
  const read = usePlaygroundState((state) => state.read)
  const conversation = usePlaygroundState((state) => state.conversation)
  const isCounted = usePlaygroundState((state) => countsOf(state) !== undefined)
  const [checks, setChecks] = useState<readonly TemplateCheck[]>()
  useEffect(() => {
    if (!isCounted) return
    let isWanted = true
    void checkChoices({ read, conversation }, choices, run).then((found) => {
      if (isWanted) setChecks(found)
    })
    return () => {
      isWanted = false
    }
  }, [run, read, conversation, choices, isCounted])
  return checks
}

/** In rem. */
const ROW_HEIGHT = 1.5

/** Tokens of each result beside those of its placeholder in every template. Only visible rows are in the DOM. */
function TemplateMatrix(props: {
  readonly choices: readonly TemplateChoice[]
  readonly checks: readonly TemplateCheck[]
  /** Indices of the results to list. */
  readonly results: readonly number[]
}) {
  const { choices, checks, results } = props
  const { t, format } = useView('policy.templates')
  const nameOf = useTemplateName()
  const [isGrownOnly, setGrownOnly] = useState(false)
  const scroller = useRef<HTMLDivElement>(null)
  const conversation = usePlaygroundState(conversationOf)
  const counts = usePlaygroundState((state) => countsOf(state)?.[state.conversation])
  const grows = (result: number, tokens: number | undefined) =>
    tokens !== undefined && tokens > (counts?.results[result] ?? 0)
  const shown = isGrownOnly
    ? results.filter((result) => checks.some(({ tokens }) => grows(result, tokens[result])))
    : results
  const [rem] = useState(remInPixels)
  const height = ROW_HEIGHT * rem
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
  })
  return (
    <div className="pt-1">
      <div className="mb-1.5 max-w-72">
        <SwitchField label={t('grownOnly')} isOn={isGrownOnly} onChange={setGrownOnly} />
      </div>
      <ScrollRegion
        ref={scroller}
        aria-label={t('byResult')}
        className="max-h-80 overflow-auto [overflow-anchor:none] rounded-md border border-line"
      >
        <table
          aria-rowcount={shown.length + 1}
          className="w-full text-right text-sm [&_td]:px-2 [&_th]:px-2"
        >
          <thead className="sticky top-0 z-10 bg-raised text-soft">
            <tr className="align-bottom shadow-[inset_0_-1px_var(--line)] [&>th]:py-1 [&>th]:font-medium">
              <th scope="col">{t('columns.turn')}</th>
              <th scope="col" className="text-left">
                {t('columns.tool')}
              </th>
              <th scope="col">{t('columns.result')}</th>
              {choices.map((choice) => (
                <th key={choice.template} scope="col" className="min-w-16 max-w-24">
                  {nameOf(choice)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <VirtualRows virtualizer={virtualizer} columns={choices.length + 3}>
              {(index) => {
                const at = shown[index] as number
                const result = conversation?.results[at]
                return (
                  <tr aria-rowindex={index + 2} style={{ height }}>
                    <td>{result?.turn === undefined ? '–' : result.turn + 1}</td>
                    <th scope="row" className="max-w-40 truncate text-left font-normal text-key">
                      {shownTool(result) ?? '–'}
                    </th>
                    <td className="font-medium">{format.number(counts?.results[at])}</td>
                    {checks.map(({ template, tokens }) => {
                      const isLonger = grows(at, tokens[at])
                      return (
                        <td key={template} className={isLonger ? 'text-warn' : 'text-soft'}>
                          {format.number(tokens[at])}
                          {isLonger && (
                            <>
                              <span aria-hidden> ↑</span>
                              <span className="sr-only"> {t('longer')}</span>
                            </>
                          )}
                        </td>
                      )
                    })}
                  </tr>
                )
              }}
            </VirtualRows>
          </tbody>
        </table>
        {shown.length === 0 && <p className="px-2 py-1.5 text-soft">{t('noneGrows')}</p>}
      </ScrollRegion>
    </div>
  )
}
