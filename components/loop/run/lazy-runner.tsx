'use client'

import dynamic from 'next/dynamic'

/** Its code comes with the first look at it. */
export const LazyRunner = dynamic(() => import('./runner').then(({ Runner }) => Runner), {
  ssr: false,
})
