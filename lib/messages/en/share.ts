/** Sharing: links, exports, fixtures, presets and comparison. */
export const share = {
  button: 'Share',
  title: 'Share this policy',
  close: 'Close',
  link: {
    label: 'Link with the settings',
    only: 'Settings only, no transcript.',
    length: '{chars, number} characters',
    carries: 'In it: {parts}.',
    parts: {
      policy: 'the policy',
      model: 'the model',
      view: 'the view',
      sample: 'the sample shown',
      conversation: 'the conversation’s number',
      pinned: 'policy A of the comparison',
    },
    stays:
      'Your transcript stays here. Whoever opens the link sees its settings on theirs or on a sample.',
    copy: 'Copy link',
  },
} as const
