import { useTranslations } from 'use-intl'
import type { Problem } from '@/lib/core/problem'
import type { Notice } from '@/lib/state/notices'
import { useCoreTexts } from '../language-provider'
import { useProblemSentence } from '../use-figure-format'

export interface NoticeTextProps {
  readonly notice: Notice
}

/** What happened, and what is wrong in the input, if something is. */
export function NoticeText({ notice: { code, values, problem } }: NoticeTextProps) {
  const t = useTranslations('shell')
  const { phrases } = useCoreTexts()
  const { kind: found, reason, reasons } = values
  const said = {
    ...(typeof found === 'string' && { kind: phrases(found) }),
    ...(typeof reason === 'string' && { reason: phrases(reason) }),
    ...(Array.isArray(reasons) && { reason: reasons.map(phrases).join(' ') }),
  }
  return (
    <>
      {t(`notice.${code}`, { ...values, ...said } as never)}
      {problem !== undefined && <ProblemSentence problem={problem} />}
    </>
  )
}

function ProblemSentence({ problem }: { readonly problem: Problem }) {
  const sentence = useProblemSentence()
  return ` ${sentence(problem)}`
}
