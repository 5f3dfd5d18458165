'use client'

import dynamic from 'next/dynamic'

/** Its code comes with the first look at it. */
export const LazyFollowUp = dynamic(() => import('./follow-up').then(({ FollowUp }) => FollowUp), {
  ssr: false,
})
