'use client'

import { loadWithTexts } from '../load-with-texts'
import type { ChatDialogProps } from './chat-dialog'

/** Loaded when it is first opened. */
export const LazyChatDialog = loadWithTexts<ChatDialogProps>(() =>
  import('./chat-dialog').then(({ ChatDialog }) => ChatDialog),
)
