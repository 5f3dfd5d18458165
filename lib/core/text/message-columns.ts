/** The columns of data sets that have the messages of a conversation. */
export const MESSAGE_COLUMNS: readonly string[] = [
  'messages',
  'trajectory',
  'conversations',
  'conversation',
]
