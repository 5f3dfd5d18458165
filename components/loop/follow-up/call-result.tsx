'use client'

import { useId } from 'react'
import { useTranslations } from 'use-intl'
import type { ResultCode } from '@/lib/core/loop/call-result'
import type { FollowUpCall } from '@/lib/core/loop/follow-up'
import type { OwnResult } from '@/lib/state/loop-follow-up'
import { resultNote } from '@/lib/state/loop-result-note'
import { SegmentedControl } from '../../ui/segmented-control'
import { Select } from '../../ui/select'
import { TextArea } from '../../ui/text-area'
import { useFollowUp } from '../loop-tools'
import { plainText } from './plain-text'

export interface CallResultProps {
  readonly call: FollowUpCall
  /** Its place in the turn, from 1. */
  readonly number: number
  readonly own: OwnResult | undefined
}

type Kind = 'none' | 'recorded' | 'success' | 'error'

const ERROR_CODES = [
  'TOOL_MANAGER_ERROR',
  'TIMEOUT',
  'NOT_RUN',
  'ANTI_LOOP_ID',
  'ANTI_LOOP_SIGNATURE',
  'DUPLICATE_IN_BATCH',
  'BATCH_LIMIT',
] as const satisfies readonly ResultCode[]

/** Longer ones are shown up to here. */
const RECORDED_CHARS = 400
const ARGUMENT_CHARS = 200

/** One call, and the result it is sent with: what is recorded, one's own, an error, or that it was not run. */
export function CallResult({ call, number, own }: CallResultProps) {
  const t = useTranslations('followUp.results')
  const followUp = useFollowUp()
  const id = useId()
  const recorded = call.recorded === undefined ? undefined : plainText(call.recorded)
  const kind: Kind =
    own === undefined
      ? recorded === undefined
        ? 'none'
        : 'recorded'
      : own.isError
        ? 'error'
        : 'success'
  const kinds: readonly Kind[] = [recorded === undefined ? 'none' : 'recorded', 'success', 'error']
  const choose = (next: Kind) => {
    const before: OwnResult = own ?? { text: '', isError: false, code: 'TOOL_MANAGER_ERROR' }
    if (next === 'none' || next === 'recorded') followUp.setResult(call.id, undefined)
    else if (next === 'error') followUp.setResult(call.id, { ...before, isError: true })
    else {
      // A result that replaces another begins as that one.
      const text = own === undefined ? (recorded ?? '') : own.text
      followUp.setResult(call.id, { ...before, text, isError: false })
    }
  }
  const change = (part: Partial<OwnResult>) =>
    followUp.setResult(call.id, {
      ...{ text: '', isError: false, code: 'TOOL_MANAGER_ERROR' as const },
      ...own,
      ...part,
    })
  const values = { name: call.name, id: call.id }
  return (
    <li className="border-line border-l-2 pl-3">
      <div className="flex items-center justify-between gap-x-3">
        <p className="flex min-w-0 items-baseline gap-1.5">
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
              value={own?.text ?? ''}
              onChange={({ target }) => change({ text: target.value })}
              className="min-h-9!"
            />
          </div>
          <div className="mt-0.5 flex flex-wrap items-center justify-between gap-x-3">
            <Note id={`${id}-note`} own={own} />
            {kind === 'error' && (
              <Select
                kind="ghost"
                label={t('code')}
                value={own?.code ?? 'TOOL_MANAGER_ERROR'}
                groups={[
                  {
                    label: undefined,
                    options: ERROR_CODES.map((value) => ({ value, label: value })),
                  },
                ]}
                onValueChange={(code) => change({ code })}
              />
            )}
          </div>
        </div>
      )}
    </li>
  )
}

/** How what is in the field will be sent. */
function Note({ id, own }: { readonly id: string; readonly own: OwnResult | undefined }) {
  const t = useTranslations('followUp.results')
  const note = resultNote(own)
  return (
    <p id={id} className={`text-sm ${note.kind === 'brokenJson' ? 'text-warn' : 'text-soft'}`}>
      {t(note.kind, note.values)}
    </p>
  )
}

function clipped(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
