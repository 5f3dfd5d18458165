'use client'

import dynamic from 'next/dynamic'

/** Loaded when it is first shown. */
export const LazyNextRequest = dynamic(
  () => import('./next-request').then(({ NextRequest }) => NextRequest),
  {
    ssr: false,
  },
)
