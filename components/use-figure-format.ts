import { useMemo } from 'react'
import { useFormatter } from 'use-intl'
import { type FigureFormat, figureFormat } from '@/lib/core/report/figure-format'

/** The formats of figures in the page's language. */
export function useFigureFormat(): FigureFormat {
  const format = useFormatter()
  return useMemo(() => figureFormat(format), [format])
}
