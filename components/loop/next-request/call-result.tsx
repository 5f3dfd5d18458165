'use client'

import { useId } from 'react'
import { useTranslations } from 'use-intl'
import type { ResultCode } from '@/lib/core/loop/call-result'
import type { UnansweredCall } from '@/lib/core/loop/next-request'
import type { RequestContent } from '@/lib/core/loop/request-message'
import { type CustomResult, resultNote } from '@/lib/state/loop/next-request-inputs'
import { SegmentedControl } from '../../ui/segmented-control'
import { Select } from '../../ui/select'
import { TextArea } from '../../ui/text-area'
import { useProblemSentence } from '../../use-figure-format'
import { useNextRequest } from '../loop-tools'

const ERROR_CODES = [
  'TOOL_MANAGER_ERROR',
  'TIMEOUT',
  'NOT_RUN',
  'ANTI_LOOP_ID',
  'ANTI_LOOP_SIGNATURE',
  'DUPLICATE_IN_BATCH',
  'BATCH_LIMIT',
] as const satisfies readonly ResultCode[]

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
  const recorded = call.recorded === undefined ? undefined : plainText(call.recorded)
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
          <div className="mt-0.5 flex flex-wrap items-center justify-between gap-x-3">
            <Note id={`${id}-note`} custom={custom} />
            {kind === 'error' && (
              <Select
                kind="ghost"
                label={t('code')}
                value={custom?.code ?? 'TOOL_MANAGER_ERROR'}
                options={ERROR_CODES.map((value) => ({ value, label: value }))}
                onValueChange={(code) => change({ code })}
              />
            )}
          </div>
        </div>
      )}
    </li>
  )
}

/** Describes how the text in the field is sent. */
function Note({ id, custom }: { id: string; custom: CustomResult | undefined }) {
  const t = useTranslations('nextRequest.results')
  const sentence = useProblemSentence()
  const { kind, values, problem } = resultNote(custom)
  return (
    <p id={id} className={`text-sm ${kind === 'brokenJson' ? 'text-warn' : 'text-soft'}`}>
      {t(kind, { ...values, reason: problem ? sentence(problem) : '' })}
    </p>
  )
}

function clipped(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** Joins the parts of a content with line breaks. */
function plainText(content: RequestContent): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')
}
