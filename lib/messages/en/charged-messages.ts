/** What the provider charged, beside the replay. */
export const charged = {
  title: 'Charged and replayed',
  intro:
    'The provider’s own counts, which the file states for {known, number} of {all, plural, one {# request} other {# requests}}: input, at the prices in use. Our replay calculates {all, plural, one {the request} other {all # requests}} from the transcript, to tell what masking changes.',
  figures: {
    charged: 'Charged',
    replayed: 'Our replay, unmasked',
    masked: 'With this policy, about',
    output: 'Answers, added',
    tokens: '{tokens} tokens',
    outputTokens: '{tokens} tokens, reasoning included',
  },
  fields: {
    title: 'Calibration',
    isOn: 'Use the provider’s token counts',
    isOnWithoutUsage: 'Adjust our token counts',
    estimate:
      'Claude counts about {slope, number} tokens for 100 of ours: an estimate ({source}). The file states no usage to fit it to.',
    isOnNote:
      'Fitted to {n, plural, one {# request} other {# requests}}; half of them deviate by less than {percent}%.',
    none: 'The file states no usage to fit them to.',
    head: 'Unseen head',
    slope: 'Provider’s tokens per 100 counted',
    request: 'Unseen per request',
    tokens: 'tokens',
    reset: 'Back to the fit',
  },
  requests: {
    title: 'Table of charged requests',
    request: 'Request',
    charged: 'Charged',
    replayed: 'Replayed',
    read: 'Read',
    tokens: 'Tokens',
    cost: 'Cost',
    why: 'Largest part',
  },
  unseen: {
    title: 'System prompt and tools may be missing',
    intro:
      'This file states no usage. Where it does not contain the system prompt and the tool schemas, every request was longer than it looks. Add a head to see how the result changes.',
    head: 'Unseen head',
    change: 'Change by masking',
    cost: 'Session, unmasked → masked',
    use: 'Use<more> {head} tokens</more>',
    used: 'In use',
    typical:
      'Typical heads, measured on published sessions: Claude Code 42,000 tokens, Cline 25,000, Gemini CLI 12,000, Codex 5,500 to 7,200, Kimi CLI 3,800.',
    clock: 'The file has no times, so no cache entry expires in the replay.',
  },
} as const
