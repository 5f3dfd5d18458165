import { useEffect, useState } from 'react'
import { riskOf } from '@/lib/state/uses/risk'
import { usePlaygroundState } from './playground-context'

/** A large file can take longer; then its code loads before its figures. */
const LONGEST_WAIT_MS = 10_000

/** True from the first figures on, or when none will come. Code that loads only then does not delay them. */
export function useAfterFigures(): boolean {
  const [isAfter, setAfter] = useState(false)
  // Constant from then on, as figures come and go with each step of a slider.
  const hasFigures = usePlaygroundState(
    (state) =>
      isAfter ||
      riskOf(state) !== undefined ||
      state.reading.state === 'failed' ||
      state.notices.length > 0 ||
      (state.source.text === '' && state.source.origin.kind !== 'none'),
  )
  useEffect(() => {
    if (isAfter) return
    const timer = setTimeout(() => setAfter(true), hasFigures ? 0 : LONGEST_WAIT_MS)
    return () => clearTimeout(timer)
  }, [isAfter, hasFigures])
  return isAfter
}
