import { X } from 'lucide-react'
import { useState } from 'react'
import { droppedFiles, namedFiles } from '@/lib/state/files/dropped-files'
import { useDrafts } from '../drafts/drafts-context'
import { useFileList, usePlaygroundState, useView } from '../playground-context'
import { Button } from '../ui/button'
import { IconButton } from '../ui/tooltip'
import { useWindowEvents } from '../use-events'

const ENDINGS =
  '.json,.jsonl,.ndjson,.traj,.txt,.log,.har,.gz,.zip,.zst,.eval,application/json,text/plain'

/** Opens the browser's choice of files, or of a folder; what is chosen is opened. */
export function askFor(kind: 'files' | 'folder'): void {
  document.getElementById(`open-${kind}`)?.click()
}

function FileInput({ kind }: { kind: 'files' | 'folder' }) {
  const { actions } = useFileList()
  const drafts = useDrafts()
  return (
    <input
      ref={(input) => {
        if (input !== null) input.webkitdirectory = kind === 'folder'
      }}
      id={`open-${kind}`}
      type="file"
      hidden
      multiple
      accept={kind === 'folder' ? undefined : ENDINGS}
      onChange={({ target }) => {
        const files = namedFiles(target.files ?? [])
        // Reset, so that choosing the same file again fires a change event.
        target.value = ''
        drafts.show(undefined)
        void actions.openFiles(files)
      }}
    />
  )
}

/** Opens files and folders that are chosen, or dropped anywhere on the page; shows a drop target during the drag. */
export function DropZone() {
  const { t } = useView('shell')
  const { actions } = useFileList()
  const drafts = useDrafts()
  /** The elements that the drag has entered and not left. */
  const [depth, setDepth] = useState(0)
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
  const change = (by: number) => (event: DragEvent) => {
    if (carriesFiles(event)) setDepth((before) => Math.max(0, before + by))
  }
  useWindowEvents(
    {
      dragenter: change(1),
      dragleave: change(-1),
      dragover: (event) => carriesFiles(event) && event.preventDefault(),
      drop: (event) => {
        if (!carriesFiles(event)) return
        // Handle the drop before the editor, which would insert the file name or nothing.
        event.preventDefault()
        event.stopPropagation()
        setDepth(0)
        drafts.show(undefined)
        if (event.dataTransfer !== null)
          void droppedFiles(event.dataTransfer).then(actions.openFiles)
      },
    },
    { isCapture: true },
  )
  return (
    <>
      <FileInput kind="files" />
      <FileInput kind="folder" />
      {depth > 0 && (
        <div className="pointer-events-none fixed inset-0 z-60 grid place-items-center bg-paper/85 p-6">
          <p className="grid size-full place-items-center rounded-xl border-2 border-accent border-dashed text-center font-medium text-accent text-xl">
            {t('dropHere')}
          </p>
        </div>
      )}
    </>
  )
}

/** Says that a link's settings are shown on a sample, and where to put a transcript, until it is hidden. */
export function LinkNote() {
  const { t } = useView('shell')
  const drafts = useDrafts()
  // It stays when the settings are changed: nothing below it moves.
  const document = usePlaygroundState(({ source: { origin, document } }) =>
    origin.kind === 'sample' ? document : undefined,
  )
  const linked = usePlaygroundState(({ policyFrom }) => policyFrom === 'link') && document
  const [shown, setShown] = useState(linked)
  const [isHidden, setHidden] = useState(false)
  if (linked !== false && linked !== shown) setShown(linked)
  if (isHidden || document === undefined || shown !== document) return null
  return (
    <aside className="flex items-center gap-3 border-line border-b bg-raised px-6 max-lg:px-4">
      <p className="min-w-0 flex-1 py-1 text-soft text-sm">
        <span className="text-ink">{t('openingLink')}</span> {t('openingLinkOwn')}{' '}
        <Button kind="link" onClick={() => drafts.show('open')}>
          {t('openingOpen')}
        </Button>
        .
      </p>
      <IconButton label={t('openingDismiss')} onClick={() => setHidden(true)} icon={X} />
    </aside>
  )
}
