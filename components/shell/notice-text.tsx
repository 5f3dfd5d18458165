import { useTranslations } from 'use-intl'
import type { Problem } from '@/lib/core/problem'
import type { Notice } from '@/lib/state/notices'
import { useWords } from '../language-provider'
import { useProblemSentence } from '../use-figure-format'

/** What happened, and what is wrong in the input, if something is. */
export function NoticeText({ notice: { code, values, problem } }: { notice: Notice }) {
  const t = useTranslations('shell')
  const words = useWords()
  const { reasons, ...others } = values
  const said = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [
      name,
      typeof value === 'object' ? words(value) : value,
    ]),
  )
  const reason = Array.isArray(reasons) && { reason: reasons.map(words).join(' ') }
  return (
    <>
      {t(`notice.${code}`, { ...said, ...reason } as never)}
      {problem !== undefined && <ProblemSentence problem={problem} />}
    </>
  )
}

function ProblemSentence({ problem }: { problem: Problem }) {
  const sentence = useProblemSentence()
  return ` ${sentence(problem)}`
}
