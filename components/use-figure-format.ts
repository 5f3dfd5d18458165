import { useCallback, useMemo } from 'react'
import { useFormatter } from 'use-intl'
import { type Problem, sentenceOf } from '@/lib/core/problem'
import { type FigureFormat, figureFormat } from '@/lib/core/report/figure-format'
import { useWords } from './language-provider'

/** The formats of figures in the page's language. */
export function useFigureFormat(): FigureFormat {
  const format = useFormatter()
  return useMemo(() => figureFormat(format), [format])
}

/** Returns the function that describes what is wrong in an input, in the language of the page. */
export function useProblemSentence(): (problem: Problem) => string {
  const words = useWords()
  return useCallback((problem) => words(sentenceOf(problem)), [words])
}
