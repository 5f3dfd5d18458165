/** What the whole session costs: the figures, their reasons and advice, the model. */
export const savings = {
  figures: {
    unknown: '–',
    plain:
      '{n, plural, =0 {Whole session, no caching} one {Whole session, # request, no caching} other {Whole session, # requests, no caching}}',
    cached: 'Whole session with <model></model> caching',
    tokens: 'tokens',
    inputTokens: '{before} → {after} tokens of input',
    answers: 'Answers come on top: {cost}, the same either way.',
    plainHint: 'What most calculators show.',
  },
  note: {
    unknown: '–',
    priceUnknown: 'Not every price of {model} is known, so no money is shown.',
    noCache: 'Nothing is cached, so every token is paid in full each time.',
    ruleUnknown: 'How this model caches is not known, so nothing counts as cached.',
    nothingMasked: 'Nothing is masked, so the cached prefix stays whole.',
    unbroken: 'Masking never changes what was sent before, so the cached prefix stays whole.',
    slides:
      'The window moves every turn and breaks the cached prefix {n, plural, one {once} two {twice} other {# times}}.',
    steps:
      'The window moves {batch, number} turns at a time and breaks the cached prefix {n, plural, one {once} two {twice} other {# times}}.',
    dearer: 'Masking like this costs more than sending everything.',
    even: 'Masking neither costs nor saves here.',
    paysAlways: 'It pays from the first request on.',
    pays: 'It has paid for itself from request {from} of {all} on.',
    best: 'No window of {smallest, number} turns or more is cheaper.',
    useBatch:
      '{batch, plural, =1 {Moved every turn} other {In batches of # turns}}: <b>{change}</b>.',
    useBoth:
      'Window {window, number}, {batch, plural, =1 {moved every turn} other {in batches of # turns}}: <b>{change}</b>.',
    use: 'Use them',
    doNotMask: 'Do not mask to save money here: sending everything is cheapest.',
    leastDear:
      'The best there is, window {window, number}{batch, plural, =1 {} other { in batches of #}}, makes {change}.',
    turnOff: 'Turn masking off',
  },
  model: {
    label: 'Model',
    search: 'Search models and providers',
    own: 'Your own',
    loading: 'Loading the price list…',
    none: 'No model of that name. Add it under “Prices”.',
    prices: '{input} in · {read} cached · {output} out · {key}',
    more: '{n, plural, one {# more model} other {# more models}}: type to find one. Prices per million tokens.',
    left: '{n, plural, =0 {Prices per million tokens.} one {# more: type on. Prices per million tokens.} other {# more: type on. Prices per million tokens.}}',
  },
} as const
