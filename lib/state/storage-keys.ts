/** Keys in local storage. Deleting all stored data removes them. */
export const STORAGE_KEYS = {
  prices: 'masking-playground.prices',
  advice: 'masking-playground.advice',
  recentModels: 'masking-playground.recent-models',
  openingNoteHidden: 'opening-note-hidden',
  drawer: 'masking-playground.drawer',
  drawerHeight: 'masking-playground.drawer-height',
  loopPart: 'masking-playground.loop-part',
  loop: 'masking-playground.loop',
  conversations: 'masking-playground.conversations',
  view: 'masking-playground.view',
  language: 'masking-playground.language',
  /** Set by the theme library. */
  theme: 'theme',
} as const
