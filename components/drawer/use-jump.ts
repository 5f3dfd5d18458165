import type { Selection } from '@/lib/state/document/document-slice'
import { usePlayground } from '../playground-context'
import { useIsNarrow } from '../shell/use-is-narrow'
import { arePanesCovered } from './bottom-drawer'
import { useOpenDrawer } from './use-open-drawer'

/** Selects a message in the panes and on the timeline. Closes a drawer that covers the panes. */
export function useJump(): (message: number, result?: number, by?: Selection['by']) => void {
  const { actions } = usePlayground()
  const isNarrow = useIsNarrow()
  const [, setOpen] = useOpenDrawer()
  return (message, result, by = 'page') => {
    if (isNarrow || arePanesCovered()) setOpen(undefined)
    actions.select(message, result, by)
  }
}
