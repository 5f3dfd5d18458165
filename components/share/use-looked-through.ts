import { useEffect, useState } from 'react'
import { type LookedThrough, lookThrough } from '@/lib/state/share-transcript'

/** Looks through a text once there is one; undefined until that is done, and while another is looked through. */
export function useLookedThrough(text: string | undefined): LookedThrough | undefined {
  const [looked, setLooked] = useState<LookedThrough>()
  useEffect(() => {
    if (text === undefined) return
    let isCurrent = true
    void lookThrough(text).then((next) => {
      if (isCurrent) setLooked(next)
    })
    return () => {
      isCurrent = false
    }
  }, [text])
  return looked?.text === text ? looked : undefined
}
