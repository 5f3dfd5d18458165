'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { droppedFiles } from '@/lib/state/files/dropped-files'
import { useFileList } from '../playground-context'

/** Opens files and folders dropped anywhere on the page, and shows a drop target during the drag. */
export function DropZone() {
  const t = useTranslations('shell')
  const { actions } = useFileList()
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    let depth = 0
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const show = (change: number) => {
      depth = Math.max(0, depth + change)
      setOver(depth > 0)
    }
    const onEnter = (event: DragEvent) => carriesFiles(event) && show(1)
    const onLeave = (event: DragEvent) => carriesFiles(event) && show(-1)
    const onOver = (event: DragEvent) => carriesFiles(event) && event.preventDefault()
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      // Handle the drop before the editor, which would insert the file name or nothing.
      event.preventDefault()
      event.stopPropagation()
      depth = 0
      setOver(false)
      if (event.dataTransfer !== null) {
        void droppedFiles(event.dataTransfer).then(actions.openFiles)
      }
    }
    const isCapture = true
    addEventListener('dragenter', onEnter, isCapture)
    addEventListener('dragleave', onLeave, isCapture)
    addEventListener('dragover', onOver, isCapture)
    addEventListener('drop', onDrop, isCapture)
    return () => {
      removeEventListener('dragenter', onEnter, isCapture)
      removeEventListener('dragleave', onLeave, isCapture)
      removeEventListener('dragover', onOver, isCapture)
      removeEventListener('drop', onDrop, isCapture)
    }
  }, [actions])
  if (!isOver) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-60 grid place-items-center bg-paper/85 p-6">
      <p className="grid size-full place-items-center rounded-xl border-2 border-accent border-dashed text-center font-medium text-accent text-xl">
        {t('dropHere')}
      </p>
    </div>
  )
}
