'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { droppedFiles } from '@/lib/state/dropped-files'
import { useLibrary } from '../playground-context'

/** Takes files and folders dropped anywhere on the page; shows where it may fall while one is carried over it. */
export function DropZone() {
  const t = useTranslations('shell')
  const { actions } = useLibrary()
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
      // Before the editor sees it: it would put the file's name or nothing.
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
