import { loadWithTexts } from '../load-with-texts'

/** Loaded when it is first opened. */
export const LazyChatDialog = loadWithTexts(async () => (await import('./chat-dialog')).ChatDialog)
