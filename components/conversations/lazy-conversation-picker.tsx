'use client'

import { loadWithTexts } from '../load-with-texts'
import { usePlaygroundState } from '../playground-context'

const Picker = loadWithTexts<object>(() =>
  import('./conversation-picker').then(({ ConversationPicker }) => ConversationPicker),
)

/** Chooses the conversation to show; loads if the document has several. */
export function LazyConversationPicker() {
  const count = usePlaygroundState((state) => state.read?.model.conversations.length ?? 0)
  return count > 1 && <Picker />
}
