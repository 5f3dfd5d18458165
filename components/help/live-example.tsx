import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { decide } from '@/lib/core/policy/decide'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import type { DecidableResult } from '@/lib/core/policy/window-steps'
import type { MaskWindow } from '@/lib/core/replay/prepare-replay'
import { Slider } from '../ui/slider'

const SQUARES: Readonly<Record<SentState, string>> = {
  sent: 'h-3.5 bg-good',
  placeholder: 'h-2 bg-accent',
  error: 'h-3.5 rounded-full bg-warn',
}

const LARGEST_BATCH = 8

/** Requests of a small agent under a window that the reader moves; the policy of the playground decides. */
export function LiveExample() {
  const t = useTranslations('help')
  const [windowTurns, setWindow] = useState(3)
  const [batchTurns, setBatch] = useState(1)
  const requests = exampleRequests({ windowTurns, batchTurns })
  const results = requests.flat()
  const breaks = requests.filter((sent) => sent.some(({ isChanged }) => isChanged)).length
  const turns = (n: number) => t('example.turns', { n })
  const textOf = ({ state, isChanged }: SentResult) =>
    isChanged ? `${t(`example.${state}`)}, ${t('example.changed')}` : t(`example.${state}`)
  return (
    <section className="rounded-xl border border-line bg-raised p-5 max-sm:p-4">
      <h2 className="font-semibold text-lg">{t('example.title')}</h2>
      <p className="mt-1 max-w-[70ch] text-soft">{t('example.text')}</p>
      <div className="mt-4 grid gap-x-10 gap-y-4 md:grid-cols-[minmax(14rem,1fr)_auto]">
        <div>
          {(
            [
              [t('example.window'), TURNS, windowTurns, setWindow],
              [t('example.batch'), LARGEST_BATCH, batchTurns, setBatch],
            ] as const
          ).map(([label, maximum, value, set]) => (
            <div key={label} className="mb-2">
              <p className="flex justify-between font-medium">
                {label} <span className="font-normal tabular-nums">{turns(value)}</span>
              </p>
              <Slider
                label={label}
                value={value}
                minimum={1}
                maximum={maximum}
                valueText={turns}
                onValueChange={set}
              />
            </div>
          ))}
          <p aria-live="polite" className="mt-3 max-w-[46ch]">
            {t('example.summary', {
              sent: results.filter(({ state }) => state !== 'placeholder').length,
              all: results.length,
              breaks,
            })}
          </p>
          <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-soft text-sm">
            {(['sent', 'placeholder', 'error'] as const).map((state) => (
              <li key={state} className="flex items-center gap-2">
                <span aria-hidden className={`w-3.5 ${SQUARES[state]}`} />
                {t(`example.${state}`)}
              </li>
            ))}
            <li className="flex items-center gap-2">
              <span aria-hidden className="h-3.5 w-3.5 outline-2 outline-bad -outline-offset-1" />
              {t('example.changed')}
            </li>
          </ul>
        </div>
        <table className="border-separate border-spacing-0.5 text-soft text-sm">
          <caption className="sr-only">{t('example.caption')}</caption>
          <thead className="sr-only">
            <tr>
              <td />
              {requests.slice(1).map((_, at) => (
                <th key={t('example.result', { n: at + 1 })} scope="col">
                  {t('example.result', { n: at + 1 })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {requests.map((sent, at) => {
              const name = t('example.request', { n: at + 1 })
              return (
                <tr key={name}>
                  <th
                    scope="row"
                    className="whitespace-nowrap pr-3 text-left max-sm:pr-1 font-normal"
                  >
                    {name}
                  </th>
                  {requests.slice(1).map((_, index) => {
                    const one = sent[index]
                    return (
                      <td key={t('example.result', { n: index + 1 })} className="size-4.5 p-0">
                        {one !== undefined && (
                          <div
                            className={`flex size-4.5 items-center justify-center ${one.isChanged ? 'outline-2 outline-bad -outline-offset-1' : ''}`}
                          >
                            <span className={`w-3.5 ${SQUARES[one.state]}`} />
                            <span className="sr-only">{textOf(one)}</span>
                          </div>
                        )}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const TURNS = 10
/** Index of the result that is an error. */
const ERROR_TURN = 5

type SentState = 'sent' | 'placeholder' | 'error'

interface SentResult {
  readonly state: SentState
  /** True if the request before sent it differently. */
  readonly isChanged: boolean
}

const RESULTS = Array.from(
  { length: TURNS },
  (_, turn): DecidableResult => ({
    message: 2 * turn + 2,
    callId: `call_${turn + 1}`,
    turn,
    toolName: 'read_file',
    toolArguments: '{}',
    firstLine: '',
    shape: 'text',
    errorRules: turn === ERROR_TURN ? ['traceback'] : [],
    chars: 2_000,
    length: 2_000,
  }),
)

/** What each request of the example sends, as the policy decides it: the first one has no result, each later one has one more. */
function exampleRequests(window: MaskWindow): SentResult[][] {
  const requests: SentResult[][] = [[]]
  for (let turnCount = 1; turnCount <= TURNS; turnCount++) {
    const results = RESULTS.slice(0, turnCount)
    const policy = { ...DEFAULT_POLICY, ...window, enabled: true }
    const decisions = decide({ results, turnCount, messages: [] }, policy, { textOf: () => '' })
    const before = requests.at(-1) ?? []
    requests.push(
      decisions.map(({ action, reason }, index) => {
        const state = action === 'mask' ? 'placeholder' : reason === 'kept_error' ? 'error' : 'sent'
        const isMasked = (one: SentState) => one === 'placeholder'
        const last = before[index]
        return { state, isChanged: last !== undefined && isMasked(last.state) !== isMasked(state) }
      }),
    )
  }
  return requests
}
