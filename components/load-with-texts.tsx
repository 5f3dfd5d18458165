import dynamic from 'next/dynamic'
import { type ComponentType, useEffect } from 'react'
import { useAllTexts } from './language-provider'
import type { DiffPaneProps } from './monaco/diff-pane'
import type { EditorPaneProps } from './monaco/editor-pane'
import { useAfterFigures, useView } from './playground-context'
import { Button } from './ui/button'

interface Loading {
  /** Stands in its place until then. */
  readonly Waiting?: ComponentType
  /** True to load it only after the first figures, so that it does not delay them. */
  readonly isLate?: boolean
}

/** A component whose code and texts load when it is first shown, such as the content of a popover. */
export function loadWithTexts<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Waiting = Nothing, isLate = false }: Loading = {},
): ComponentType<Props> {
  const Loaded = dynamic<Props>(() => load().catch(codeMissing), {
    ssr: false,
    loading: () => <Waiting />,
  })
  return (props: Props) => {
    const isWanted = useAfterFigures() || !isLate
    // Beside its texts, not after them; `Loaded` says if it fails.
    useEffect(() => {
      if (isWanted) void load().catch(() => undefined)
    }, [isWanted])
    return useAllTexts(isWanted) ? <Loaded {...props} /> : <Waiting />
  }
}

const Nothing = () => null

/** A failed download removes a part of the page, not the page. */
export function codeMissing(error: unknown) {
  console.warn('A part of the page could not be loaded.', error)
  return Missing
}

function Missing({ onReady }: Partial<EditorPaneProps & DiffPaneProps>) {
  const { t } = useView('panes')
  useEffect(() => onReady?.(), [onReady])
  return (
    <p className="p-4 text-soft">
      {t('missing')}{' '}
      <Button kind="link" onClick={() => location.reload()}>
        {t('reload')}
      </Button>
    </p>
  )
}
