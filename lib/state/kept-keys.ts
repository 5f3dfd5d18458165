/** Names under which the page keeps things in the browser's local storage; forgetting everything removes these. */
export const KEPT = {
  prices: 'masking-playground.prices',
  openingNoteHidden: 'opening-note-hidden',
  drawer: 'masking-playground.drawer',
  drawerHeight: 'masking-playground.drawer-height',
  loopPart: 'masking-playground.loop-part',
  loop: 'masking-playground.loop',
  /** The theme library's own name for it. */
  theme: 'theme',
} as const
