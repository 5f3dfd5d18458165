import { useEffect } from 'react'
import { useLocale } from 'use-intl'
import { useStore } from 'zustand'
import { memoizeFor } from '@/lib/core/memoize-for'
import { nextRequestOf } from '@/lib/state/loop/next-request'
import { createSimulator, type SimulatorState } from '@/lib/state/loop/simulator'
import { usePlayground, useShown } from '../playground-context'

/** The next request, which is built while the view is mounted; its style message begins in the language of the page. */
export function useNextRequest() {
  const { showNextRequest } = usePlayground().actions
  const language = useLocale()
  useEffect(() => {
    showNextRequest(language)
    return () => showNextRequest(undefined)
  }, [showNextRequest, language])
  return useShown(nextRequestOf)
}

/** One simulator per page. It outlives its view and loads with it. */
export function useSimulator(): ReturnType<typeof createSimulator> {
  return memoizeFor(usePlayground(), createSimulator, createSimulator)
}

export function useSimulatorState<Part = SimulatorState>(
  select: (state: SimulatorState) => Part = (state) => state as Part,
): Part {
  return useStore(useSimulator().store, select)
}
