import { useMemo } from 'react'
import type { PlaygroundState } from '@/lib/state/store'
import { useLateState, usePlaygroundState } from './playground-context'
import { useLatest } from './ui/use-latest'

export interface Shown<Value> {
  /** Undefined until it is known for the document on the page: that of another document is not shown. */
  readonly shown: Value | undefined
  /** True for the last one known, while a newer one is awaited. */
  readonly isOld: boolean
}

/** What `select` returns of the late state, or the last value of the same document while it is undefined. */
export function useShown<Value>(
  select: (state: PlaygroundState) => Value | undefined,
): Shown<Value> {
  const value = useLateState(select)
  return useShownOf(value, useLateState(documentOf))
}

/** The same of a value of this document. */
export function useShownOf<Value>(
  value: Value | undefined,
  document: number | undefined,
): Shown<Value> {
  const onPage = usePlaygroundState(documentOf)
  const known = useMemo(
    () => (value === undefined ? undefined : { value, document }),
    [value, document],
  )
  const latest = useLatest(known)
  const shown = onPage !== undefined && latest?.document === onPage ? latest.value : undefined
  return { shown, isOld: value === undefined && shown !== undefined }
}

export function documentOf({ read }: PlaygroundState): number | undefined {
  return read?.source.document
}
