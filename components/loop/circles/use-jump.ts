import { useOpenDrawer } from '../../drawer/use-open-drawer'
import { usePlayground } from '../../playground-context'
import { useIsNarrow } from '../../shell/use-is-narrow'

/** Shows a message in the panes and on the timeline; on a narrow screen the sheet gives way to it. */
export function useJump(): (message: number, result?: number) => void {
  const { actions } = usePlayground()
  const isNarrow = useIsNarrow()
  const [, setOpen] = useOpenDrawer()
  return (message, result) => {
    if (isNarrow) setOpen(undefined)
    actions.select(message, result, 'page')
  }
}
