import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { UnansweredCall } from '@/lib/core/loop/next-request'
import { plainTextOf } from '@/lib/core/loop/request-message'
import {
  customResultsOf,
  isNextRequestCurrent,
  nextRequestOf,
} from '@/lib/state/loop/next-request-builder'
import { type CustomResult, resultNote } from '@/lib/state/loop/next-request-inputs'
import { usePlaygroundState } from '../../playground-context'
import { Collapsible } from '../../ui/collapsible'
import { SegmentedControl } from '../../ui/segmented-control'
import { ShowMore } from '../../ui/show-more'
import { TextArea } from '../../ui/text-area'
import { useProblemSentence } from '../../use-figure-format'
import { useNextRequest, useNextRequestState, useWatchNextRequest } from '../loop-tools'
import { RequestFields } from './request-fields'
import { RequestPreview } from './request-preview'

const CALLS_AT_ONCE = 20

/** Builds the request after the last tool calls of the conversation shown. Inputs are beside the output. */
export function NextRequest() {
  const t = useTranslations('nextRequest')
  useWatchNextRequest()
  const hasDocument = usePlaygroundState(({ read }) => read !== undefined)
  const count = usePlaygroundState(({ read }) => read?.model.conversations.length ?? 0)
  const at = usePlaygroundState(({ conversation }) => conversation)
  const built = useNextRequestState(nextRequestOf)
  const isCurrent = useNextRequestState(isNextRequestCurrent)
  const tLoss = useTranslations('losses')
  const custom = useNextRequestState((page, { inputs }) => customResultsOf(page, inputs))
  const [most, setMost] = useState(CALLS_AT_ONCE)
  if (!hasDocument) return <p className="text-soft">{t('empty')}</p>
  if (built === undefined) {
    return <p className="max-w-prose text-soft">{t(isCurrent ? 'noTurn' : 'working')}</p>
  }
  const { calls, lost } = built
  const pending = calls.filter(({ recorded }) => recorded === undefined).length
  return (
    <div className="flex min-h-0 flex-1 gap-x-6 gap-y-5 max-lg:flex-col">
      <section
        aria-label={t('request.title')}
        className="flex min-h-0 flex-col gap-4 pb-5 lg:w-2/5 lg:min-w-90 lg:overflow-y-auto lg:pr-3"
      >
        {count > 1 && (
          <p className="text-soft text-sm">{t('conversation', { number: at + 1, count })}</p>
        )}
        <section>
          <h3 className="font-medium">{t('results.title')}</h3>
          <p className="text-soft text-sm">
            {t(pending === 0 ? 'results.answered' : 'results.pending', {
              pending,
              calls: calls.length,
            })}
          </p>
          <ol className="mt-2 flex flex-col gap-3">
            {calls.slice(0, most).map((call, index) => (
              <CallResult
                key={call.id}
                call={call}
                number={index + 1}
                custom={custom.get(call.id)}
              />
            ))}
          </ol>
          <ShowMore all={calls.length} most={most} atOnce={CALLS_AT_ONCE} onMore={setMost} />
        </section>
        <RequestFields history={built.history} />
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
      </section>
      <RequestPreview built={built} isCurrent={isCurrent} />
    </div>
  )
}

/** Recorded results are shown up to this many characters. */
const RECORDED_CHARS = 400
const ARGUMENT_CHARS = 200

const NO_RESULT: CustomResult = { text: '', isError: false, code: 'TOOL_MANAGER_ERROR' }

/** A call and the result it is sent with: recorded, custom, an error, or not run. */
export function CallResult(props: {
  readonly call: UnansweredCall
  /** Position in the turn, from 1. */
  readonly number: number
  readonly custom: CustomResult | undefined
}) {
  const { call, number, custom } = props
  const t = useTranslations('nextRequest.results')
  const nextRequest = useNextRequest()
  const id = useId()
  const recorded = call.recorded === undefined ? undefined : plainTextOf(call.recorded)
  const unset = recorded === undefined ? 'none' : 'recorded'
  const kind = custom === undefined ? unset : custom.isError ? 'error' : 'success'
  const change = (part: Partial<CustomResult>) =>
    nextRequest.setResult(call.id, { ...NO_RESULT, ...custom, ...part })
  const kinds = [unset, 'success', 'error'] as const
  const choose = (next: (typeof kinds)[number]) => {
    if (next === unset) nextRequest.setResult(call.id, undefined)
    else if (next === 'error') change({ isError: true })
    // A custom result starts as a copy of the recorded one.
    else change({ text: custom === undefined ? (recorded ?? '') : custom.text, isError: false })
  }
  const values = { name: call.name, id: call.id }
  // How the text in the field is sent.
  const note = resultNote(custom)
  const sentence = useProblemSentence()
  return (
    <li className="border-line border-l-2 pl-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p className="flex min-w-40 flex-1 items-baseline gap-1.5">
          <span className="text-faint tabular-nums">{number}</span>
          <span className="max-w-[70%] shrink-0 truncate font-medium font-mono text-sm">
            {call.name}
          </span>
          <span className="truncate font-mono text-soft text-sm" title={call.id}>
            {call.id}
          </span>
        </p>
        <span className="shrink-0">
          <SegmentedControl
            kind="quiet"
            label={t('kind', values)}
            value={kind}
            options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            onValueChange={choose}
          />
        </span>
      </div>
      <p className="mt-0.5 line-clamp-2 break-all font-mono text-soft text-sm">
        <span className="sr-only">{t('arguments')}: </span>
        {clipped(call.arguments, ARGUMENT_CHARS)}
      </p>
      {kind === 'recorded' && recorded !== undefined && (
        <>
          <div className="mt-1 rounded-md bg-line/40 px-2.5 py-1.5">
            <p className="line-clamp-4 whitespace-pre-wrap break-words font-mono text-sm [overflow-wrap:anywhere]">
              {clipped(recorded, RECORDED_CHARS)}
            </p>
          </div>
          <p className="mt-0.5 text-soft text-sm">{t('recordedAs', { chars: recorded.length })}</p>
        </>
      )}
      {kind !== 'recorded' && (
        <div className="mt-1">
          <div className="max-h-48 overflow-y-auto">
            <TextArea
              isMono
              aria-label={t(kind === 'error' ? 'error' : 'text', values)}
              aria-describedby={`${id}-note`}
              placeholder={t(kind === 'error' ? 'errorHint' : 'hint')}
              value={custom?.text ?? ''}
              onChange={({ target }) => change({ text: target.value })}
              className="min-h-9!"
            />
          </div>
          <p
            id={`${id}-note`}
            className={`mt-0.5 text-sm ${note.kind === 'brokenJson' ? 'text-warn' : 'text-soft'}`}
          >
            {t(note.kind, { ...note.values, reason: note.problem ? sentence(note.problem) : '' })}
          </p>
        </div>
      )}
    </li>
  )
}

function clipped(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
