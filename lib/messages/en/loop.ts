/** The drawer about the tool loop: where a conversation ran in circles, and what comes after it. */
export const loop = {
  title: 'Loop',
  open: 'Loop: {found}',
  close: 'Close loop',
  parts: 'Loop',
  part: { circles: 'Circles' },
  repeats: '{count, plural, one {# repeat} other {# repeats}}',
  found: '{count, plural, one {# finding} other {# findings}}',
  nothing: 'nothing repeats',
} as const
