import { type ReactNode, useEffect, useState } from 'react'
import { afterFrame } from '@/lib/state/after-frame'

/** Draws its content in a task of its own, after the next frame. */
export function AfterFrame({ children }: { readonly children: ReactNode }) {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => afterFrame(() => setDrawn(true)), [])
  return isDrawn && children
}
