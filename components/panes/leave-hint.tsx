'use client'

import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'

/** Explains how Tab leaves the editor after the user entered it with Tab. The editor's label says the same. */
export function LeaveHint() {
  const t = useTranslations('panes')
  const hint = useRef<HTMLParagraphElement>(null)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const area = hint.current?.parentElement
    if (!area) return
    let cameByTab = false
    const onKeyDown = (event: KeyboardEvent) => {
      cameByTab = event.key === 'Tab'
    }
    const onPointerDown = () => {
      cameByTab = false
      setShown(false)
    }
    const onFocus = () => setShown((isStillShown) => isStillShown || cameByTab)
    const onBlur = () => setShown(false)
    const isCapture = true
    addEventListener('keydown', onKeyDown, isCapture)
    addEventListener('pointerdown', onPointerDown, isCapture)
    area.addEventListener('focusin', onFocus)
    area.addEventListener('focusout', onBlur)
    return () => {
      removeEventListener('keydown', onKeyDown, isCapture)
      removeEventListener('pointerdown', onPointerDown, isCapture)
      area.removeEventListener('focusin', onFocus)
      area.removeEventListener('focusout', onBlur)
    }
  }, [])
  return (
    <p
      ref={hint}
      className={`pointer-events-none absolute right-4 bottom-3 rounded-md bg-ink px-2.5 py-1.5 text-paper text-sm ${isShown ? '' : 'invisible'}`}
    >
      {t('leaveHint')}
    </p>
  )
}
