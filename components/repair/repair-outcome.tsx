import { useTranslations } from 'use-intl'
import type { BrokenCall } from '@/lib/core/repair/repair-document'
import { riskOf } from '@/lib/core/repair/repair-strategies'
import { type RepairPart, repairParts, strategiesOf } from '@/lib/state/repair/shown-repair'

const TONES = { none: 'text-good', guess: 'text-warn', loss: 'text-bad' } as const

/** The text before and after with differences marked, the changes, and the risk of data loss. */
export function RepairOutcome({ before, result }: Pick<BrokenCall, 'before' | 'result'>) {
  const t = useTranslations('repair')
  const pieces = repairParts({ before, result })
  const risk = riskOf(result)
  const isChanged = result.state === 'repaired'
  return (
    <>
      <div className="mt-1.5 grid gap-3 md:grid-cols-2">
        <PieceText label={t('before')} pieces={pieces.before} change="removed" />
        {isChanged && <PieceText label={t('after')} pieces={pieces.after} change="added" />}
      </div>
      {!pieces.isWhole && <p className="mt-1 text-soft text-sm">{t('clipped')}</p>}
      {isChanged && (
        <ul aria-label={t('applied')} className="mt-2 list-disc pl-4 text-soft">
          {strategiesOf(result).map((strategy) => (
            <li key={strategy}>{t(`strategies.${strategy}`)}</li>
          ))}
        </ul>
      )}
      {isChanged && <p className={`mt-1 ${TONES[risk]}`}>{t(`risks.${risk}`)}</p>}
      {result.failure !== undefined ? (
        <p className="mt-1 text-bad">
          {t('states.failed')}. {t(`failures.${result.failure}`)}
        </p>
      ) : (
        !result.isObject && <p className="mt-1 text-bad">{t('failures.not_an_object')}</p>
      )}
    </>
  )
}

export function ChangedText({ change, text }: { change: 'removed' | 'added'; text: string }) {
  const t = useTranslations('repair')
  return change === 'removed' ? (
    <del title={t('removed')} className="rounded-xs bg-warn-tint text-bad decoration-1">
      {text}
    </del>
  ) : (
    <ins title={t('added')} className="rounded-xs bg-accent-tint text-accent decoration-1">
      {text}
    </ins>
  )
}

function PieceText(props: {
  readonly label: string
  readonly pieces: readonly RepairPart[]
  readonly change: 'removed' | 'added'
}) {
  const { label, pieces, change } = props
  return (
    <div className="min-w-0">
      <p aria-hidden className="text-faint text-xs">
        {label}
      </p>
      <figure
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        className="max-h-48 overflow-auto rounded-md border border-line bg-paper px-2.5 py-1.5"
      >
        <pre className="whitespace-pre-wrap font-mono text-sm [overflow-wrap:anywhere]">
          {pieces.map(({ text, isChanged }, index) => {
            const key = `${index}`
            return isChanged ? (
              <ChangedText key={key} change={change} text={text} />
            ) : (
              <span key={key}>{text}</span>
            )
          })}
        </pre>
      </figure>
    </div>
  )
}
