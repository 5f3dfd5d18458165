import { useEffect, useState } from 'react'

/** Delay before a change is announced, in milliseconds. */
const QUIET_MS = 600

/** Announces a sentence to screen readers once it stops changing. */
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
