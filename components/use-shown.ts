import { useEffect, useMemo, useState } from 'react'
import type { PlaygroundState } from '@/lib/state/store'
import { useDeferredState, usePlaygroundState } from './playground-context'

export interface Shown<Value> {
  /** Undefined until it is known for the conversation on the page: that of another is not shown. */
  readonly shown: Value | undefined
  /** True for the last one known, while a newer one is awaited. */
  readonly isOld: boolean
}

/** What `select` returns of the deferred state, or the last value of the same conversation while it is undefined. */
export function useShown<Value>(
  select: (state: PlaygroundState) => Value | undefined,
): Shown<Value> {
  const value = useDeferredState(select)
  return useShownOf(value, useDeferredState(conversationKeyOf))
}

/** The same of a value of the conversation with this key. */
export function useShownOf<Value>(
  value: Value | undefined,
  conversation: string | undefined,
): Shown<Value> {
  const onPage = usePlaygroundState(conversationKeyOf)
  const known = useMemo(
    () => (value === undefined ? undefined : { value, conversation }),
    [value, conversation],
  )
  const [last, setLast] = useState(known)
  useEffect(() => {
    if (known !== undefined) setLast(known)
  }, [known])
  const latest = known ?? last
  const shown = onPage !== undefined && latest?.conversation === onPage ? latest.value : undefined
  return { shown, isOld: value === undefined && shown !== undefined }
}

/** Names the conversation on the page: each document that is opened, and each conversation in it, has another key. */
export function conversationKeyOf({ read, conversation }: PlaygroundState): string | undefined {
  return read && `${read.source.document}/${conversation}`
}
