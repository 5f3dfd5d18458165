'use client'

import dynamic from 'next/dynamic'
import type { ChatDialogProps } from './chat-dialog'

/** Loaded when it is first opened. */
export const LazyChatDialog = dynamic<ChatDialogProps>(
  () => import('./chat-dialog').then(({ ChatDialog }) => ChatDialog),
  { ssr: false },
)
