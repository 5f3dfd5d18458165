import { useCallback, useContext } from 'react'
import { type Problem, sentenceOf } from '@/lib/core/problem'
import type { FigureFormat } from '@/lib/core/report/figure-format'
import { FormatContext, useWords } from './language-provider'

/** The formats of figures in the page's language. */
export function useFigureFormat(): FigureFormat {
  return useContext(FormatContext)
}

/** Returns the function that describes what is wrong in an input, in the language of the page. */
export function useProblemSentence(): (problem: Problem) => string {
  const words = useWords()
  return useCallback((problem) => words(sentenceOf(problem)), [words])
}
