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
  chart: {
    label: 'What the session costs over the window',
    axis: 'What the chart shows',
    axes: { cached: 'cost, cached', plain: 'cost, no cache', tokens: 'tokens' },
    axisNotes: {
      cached: 'Dollars of input with this model’s caching',
      plain: 'Dollars of input without caching',
      tokens: 'Tokens of input, all requests together',
    },
    described: {
      cached: 'Cost of the session with caching, by window',
      plain: 'Cost of the session without caching, by window',
      tokens: 'Tokens of the session, by window',
    },
    everything: 'Sending everything: {value}.',
    set: 'As set, window {window, number}{batch, plural, =1 {} other { in batches of #}}: {value}.',
    best: 'Best, window {window, number}{batch, plural, =1 {} other { in batches of #}}: {value}.',
    numbers: 'The numbers, as a table',
    tableNote:
      'Change against sending everything, {value}. A number sets window and batch; the best is underlined.',
    window: 'Window',
    batch: '{n, plural, =1 {every turn} other {every #}}',
    smallest: 'Recommend at least',
    smallestNote:
      'Turns that a recommendation must keep: a model works worse without its last results.',
  },
  prices: {
    open: 'Prices',
    openOwn: 'Prices: yours',
    title: 'Prices of {model}',
    description:
      'Dollars for a million tokens. The list is of {date} ({source} {version}); prices you type are kept in this browser only.',
    close: 'Close',
    kinds: {
      input: 'Input',
      cachedRead: 'Input read from the cache',
      cacheWrite: 'Input written to the cache',
      output: 'Output',
    },
    origins: {
      user: 'Yours',
      price_data: 'From the list, {provider}',
      cache_rule: '{share, number} × the input price, by the cache rule',
      rule: 'By the cache rule',
    },
    tier: '{price} for requests over {above} tokens',
    unknown: 'Not known',
    notCached: 'Nothing is cached',
    changesByHour: 'The provider charges more at some hours; these are the prices outside them.',
    reset: 'Reset “{label}”',
    resetAll: 'Reset all of these',
    remove: 'Remove this model',
    rule: 'Prompt caching',
    rules: {
      none: 'Nothing is read from a cache.',
      prefix: 'The longest unchanged beginning of an earlier request is read.',
      breakpoint: 'What an earlier request sent is read if all of it is unchanged.',
    },
    ruleOwn: 'Chosen by you.',
    ruleReset: 'Back to the documented rule',
    ruleUnknown: 'How this model caches is not known; choose a rule.',
    ruleSource: '<a>As documented</a>, read {date}.',
    sizes: {
      minimumTokens: 'From this many tokens on',
      stepTokens: 'In steps of',
      contextWindow: 'Context limit',
    },
    tokens: 'tokens',
    add: 'Add a model of your own',
    addPlaceholder: 'Its name',
    addDo: 'Add',
    addNote:
      'Its prices are unknown until you type them; names that begin like a known model are counted as it is.',
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
