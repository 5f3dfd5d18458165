'use client'

import dynamic from 'next/dynamic'
import type { ChatDialogProps } from './chat-dialog'

/** Its code comes with the first opening. */
export const LazyChatDialog = dynamic<ChatDialogProps>(
  () => import('./chat-dialog').then(({ ChatDialog }) => ChatDialog),
  { ssr: false },
)
