/** The report on all sessions of the file list. It shares words with `fleet` and `report`. */
export const fleetReport = {
  title: 'Masking old tool results: cost of {count, plural, one {# session} other {# sessions}}',
  subtitle:
    '{count, plural, one {One recorded agent session} other {# recorded agent sessions}} from {files, plural, one {# file} other {# files}}, replayed as the {requests, plural, one {# request} other {# requests}} the agents sent. Created on {day}.',
  headline: {
    saves:
      'With {policy}, {count, plural, one {the session costs} other {the # sessions cost}} {share} less ({low} to {high}): {after} instead of {before}.',
    costs:
      'With {policy}, {count, plural, one {the session costs} other {the # sessions cost}} {share} more ({low} to {high}): {after} instead of {before}.',
    same: 'With {policy}, masking does not change the cost of {count, plural, one {the session} other {the # sessions}}: {before}.',
    off: 'Masking is off: {count, plural, one {the session costs} other {the # sessions cost}} {before}, with prompt caching.',
    unpriced: 'The cost of these sessions is unknown: their models have no price.',
  },
  isRecommended: 'This is the setting recommended for all.',
  recommended: 'Recommended: {sentence}',
  figures: {
    cached: 'All sessions, with caching',
    cachedNote: 'answers included',
    plain: 'All sessions, no caching',
    plainNote: 'input and answers of {requests, plural, one {# request} other {# requests}}',
    worst: 'If all lost is fetched again',
    worstNote:
      '{count, plural, =0 {no session costs} one {# session costs} other {# sessions cost}} more',
  },
  settings: {
    title: 'One setting for all, and each session with its own',
    setting: 'Setting',
    cost: 'Cost, with caching',
    saved: 'Saved',
    worst: 'Saved if all lost is fetched again',
    costlier: 'More expensive, if it is',
    none: 'No masking',
    inUse: 'As set: {policy}',
    recommended: 'Recommended: {policy}',
    own: 'Each session with its own cheapest setting',
    range: '{share} ({low} to {high})',
    count: '{count, number} of {all, number}',
  },
  sessions: {
    title: 'Sessions',
    session: 'Session',
    number: 'Session {number, number}',
    conversation: '{file}, conversation {number, number}',
    model: 'Model',
    turns: 'Turns',
    requests: 'Requests',
    before: 'Unmasked',
    after: 'Masked',
    change: 'Change',
    worst: 'All lost fetched again',
    lostUses: 'Lost uses',
    own: 'Own setting',
    ownSetting: '{window, number} / {batch, number}: −{share}',
    doNotMask: 'do not mask',
    note: 'Costs are with caching and include answers. Own setting: window and step recommended for the session alone, and what it saves.',
  },
  reading: {
    title: 'How to read this',
    quality:
      'The report does not measure whether agents work as well without the old results. Other sessions, models and prices give different answers.',
  },
  models:
    '{count, plural, one {# session} other {# sessions}}: model and prices per million tokens',
  expiry:
    'Cache entries expire by the times of a transcript, where it has them; sessions run one at a time.',
  answers: 'Costs include answers, which masking does not change.',
  more: 'CSV of the sessions',
  names: 'Include file names',
  fileName: 'sessions-report',
  chartName: 'sessions-chart',
  tableName: 'sessions',
  footer: {
    names: 'It includes the names of files, but no text of a transcript.',
  },
} as const
