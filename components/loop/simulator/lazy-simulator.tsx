'use client'

import dynamic from 'next/dynamic'

/** Loaded when it is first shown. */
export const LazySimulator = dynamic(
  () => import('./simulator-view').then(({ SimulatorView }) => SimulatorView),
  {
    ssr: false,
  },
)
