import { useEffect, useState } from 'react'
import { type SecretScan, scanForSecrets } from '@/lib/state/link/share-transcript'

/** Scans a text for secrets. Undefined while there is no text or a scan is running. */
export function useSecretScan(text: string | undefined): SecretScan | undefined {
  const [scan, setLooked] = useState<SecretScan>()
  useEffect(() => {
    if (text === undefined) return
    let isCurrent = true
    void scanForSecrets(text).then((next) => {
      if (isCurrent) setLooked(next)
    })
    return () => {
      isCurrent = false
    }
  }, [text])
  return scan?.text === text ? scan : undefined
}
