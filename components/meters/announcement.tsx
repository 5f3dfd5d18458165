import { useEffect, useState } from 'react'

/** A change is said when nothing has followed it for so long. */
const QUIET_MS = 600

/** Says a sentence to screen readers once it has come to rest. */
export function Announcement({ sentence }: { readonly sentence: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid(sentence), QUIET_MS)
    return () => clearTimeout(timer)
  }, [sentence])
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  )
}
