import { useEffect, useState } from 'react'

/** Returns the last known value while the next one is undefined. */
export function useLatest<Value>(value: Value | undefined): Value | undefined {
  const [latest, setLatest] = useState(value)
  useEffect(() => {
    if (value !== undefined) setLatest(value)
  }, [value])
  return value ?? latest
}
