'use client'

import { useEffect } from 'react'
import { loadSampleList, openSample } from '@/lib/state/samples'
import { measureOf } from '@/lib/state/selectors'
import { PlaygroundProvider, usePlayground, usePlaygroundState } from './playground-context'

export function Playground() {
  return (
    <PlaygroundProvider>
      <Screen />
    </PlaygroundProvider>
  )
}

function Screen() {
  const playground = usePlayground()
  const measure = usePlaygroundState(measureOf)
  const notices = usePlaygroundState((s) => s.notices)
  useEffect(() => {
    const get = async (p: string) => (await fetch(`/${p}`)).text()
    void loadSampleList(playground, get).then(() => openSample(playground, 'coding-session', get))
  }, [playground])
  return <pre>{JSON.stringify({ measure, notices }, null, 1)}</pre>
}
