'use client'

import dynamic from 'next/dynamic'
import { useAfterFigures } from '../use-after-figures'

const Loaded = dynamic<object>(
  () => import('./go-to-request').then(({ GoToRequest }) => GoToRequest),
  { ssr: false },
)

/** Loaded after the first figures. */
export function LazyGoToRequest() {
  return useAfterFigures() && <Loaded />
}
