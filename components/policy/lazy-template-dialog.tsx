'use client'

import dynamic from 'next/dynamic'
import type { TemplateDialogProps } from './template-dialog'

/** Loaded when it is first opened. */
export const LazyTemplateDialog = dynamic<TemplateDialogProps>(
  () => import('./template-dialog').then(({ TemplateDialog }) => TemplateDialog),
  { ssr: false },
)
