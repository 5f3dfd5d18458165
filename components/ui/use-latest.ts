import { useEffect, useState } from 'react'

/** The last value that was known, for as long as the next one is not. */
export function useLatest<Value>(value: Value | undefined): Value | undefined {
  const [latest, setLatest] = useState(value)
  useEffect(() => {
    if (value !== undefined) setLatest(value)
  }, [value])
  return value ?? latest
}
