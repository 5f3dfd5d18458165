import { useCallback, useMemo } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Problem } from '@/lib/core/problem'
import { type FigureFormat, figureFormat } from '@/lib/core/report/figure-format'
import { useCoreTexts } from './language-provider'

/** The formats of figures in the page's language. */
export function useFigureFormat(): FigureFormat {
  const format = useFormatter()
  return useMemo(() => figureFormat(format), [format])
}

/** Returns the function that describes what is wrong in an input, in the language of the page. */
export function useProblemSentence(): (problem: Problem) => string {
  const t = useTranslations('problems')
  const { phrases } = useCoreTexts()
  return useCallback(
    ({ code, values }) => {
      const translated = Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? phrases(value) : value,
      ])
      return t(code, Object.fromEntries(translated) as never)
    },
    [t, phrases],
  )
}
