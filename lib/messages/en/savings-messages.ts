/** Cost of the session: figures, explanations, advice, prices, models. */
export const savings = {
  figures: {
    unknown: '–',
    plain:
      '{n, plural, =0 {Session cost, no caching} one {Session cost, # request, no caching} other {Session cost, # requests, no caching}}',
    plainTokens: '{n, plural, one {Session tokens, # request} other {Session tokens, # requests}}',
    cached:
      'Session cost, {rule, select, unknown {caching unknown} other {with caching}} <model></model>',
    tokens: 'tokens',
    inputTokens: '{before} → {after} tokens of input',
    answers: 'Output tokens add {cost} (unchanged).',
    plainHint: 'Ignores prompt caching.',
    estimated: 'Counted × {factor, number} for Claude’s tokenizer: an estimate.',
  },
  note: {
    unknown: '–',
    priceUnknown: 'Some prices of {model} are unknown, so no cost is shown.',
    pricesEnded: 'The prices of {model} ended on {date}; no later ones are known here.',
    noCache: 'Nothing is cached, so every token is charged in full each time.',
    ruleUnknown: 'The caching rule of this model is unknown, so nothing counts as cached.',
    nothingMasked: 'Nothing is masked, so the cache stays valid.',
    unbroken: 'Masking changes no earlier message, so the cache stays valid.',
    slides:
      'The window advances every turn and invalidates the cache {n, plural, one {once} two {twice} other {# times}}.',
    steps:
      'The window advances {batch, number} turns at a time and invalidates the cache {n, plural, one {once} two {twice} other {# times}}.',
    moreExpensive: 'Masking with these settings costs more than sending everything.',
    even: 'Masking does not change the cost here.',
    paysAlways: 'Masking saves money from the first request on.',
    pays: 'Masking has paid off from request {from} of {all} on.',
    best: 'On this session, in hindsight, no window of {smallest, number} turns or more is clearly cheaper.',
    useBatch:
      '{batch, plural, =1 {Advance every turn} other {Advance every # turns}}: <b>{change}</b> on this session, in hindsight.',
    useBoth:
      'Window {window, number}, {batch, plural, =1 {advance every turn} other {advance every # turns}}: <b>{change}</b> on this session, in hindsight.',
    use: 'Apply',
    doNotMask:
      'Do not mask to save money here: in hindsight, no window of {smallest, number} turns or more saves more than 1 %.',
    cheapest:
      'The cheapest setting, window {window, number}{batch, plural, =1 {} other { advanced every # turns}}, costs {change}.',
    turnOff: 'Turn masking off',
  },
  chart: {
    label: 'Session cost by window',
    axis: 'Value shown',
    axes: { cached: 'cost, cached', plain: 'cost, no cache', tokens: 'tokens' },
    axisNotes: {
      cached: 'Input cost in dollars with this model’s caching',
      cachedUnknown: 'Input cost in dollars; the caching of this model is unknown',
      plain: 'Input cost in dollars without caching',
      tokens: 'Input tokens of all requests together',
    },
    described: {
      cached: 'Cost of the session with caching, by window',
      cachedUnknown: 'Cost of the session, caching unknown, by window',
      plain: 'Cost of the session without caching, by window',
      tokens: 'Tokens of the session, by window',
    },
    everything: 'Sending everything: {value}.',
    set: 'Current setting, window {window, number}{batch, plural, =1 {} other {, every # turns}}: {value}.',
    best: 'Recommended, window {window, number}{batch, plural, =1 {} other {, every # turns}}: {value}.',
    numbers: 'Table of the values',
    tableNote:
      'Change compared with sending everything, {value}. Press a number to set window and step; the recommended setting is underlined.',
    window: 'Window',
    batch: '{n, plural, =1 {every turn} other {every #}}',
    smallest: 'Recommend at least',
    smallestNote:
      'The fewest turns a recommendation may keep: models work worse without their last results.',
  },
  request: {
    label: 'Earlier request',
    title: 'Request {request, number} of {count, number}',
    hint: '{count, plural, one {# request} other {# requests}} · drag the mark at the end to see an earlier one',
    handle: 'Request shown',
    handleKeys: 'Left and right: request by request. Escape: back to the next request.',
    handleNext: 'The next request, after {count, plural, one {# request} other {# requests}}',
    handleValue: 'Request {request, number} of {count, number}',
    cache:
      'Its prompt: {read} tokens read from the cache, {written} written to it, {fresh} uncached.',
    first: 'It is the first request.',
    same: 'It starts with all of request {before, number}, unchanged.',
    changed:
      'It first differs from request {before, number} at <a>message {message, number}</a>, which is now masked.',
    changedPlain: 'It first differs from request {before, number} at message {message, number}.',
    copies: 'Copy and Download still give the next request.',
    back: 'Back to the next request',
  },
  prices: {
    open: 'Prices',
    openCustom: 'Prices: custom',
    title: 'Prices of {model}',
    description:
      'Dollars per million tokens. The list is from {date} ({source} {version}). Prices you type are stored in this browser only.',
    close: 'Close',
    kinds: {
      input: 'Input',
      cachedRead: 'Input read from the cache',
      cacheWrite: 'Input written to the cache',
      output: 'Output',
    },
    origins: {
      user: 'Custom',
      price_data: 'From the list, {provider}',
      overlay: 'Newer than the list, {provider}',
      cache_rule: '{share, number} × the input price, from the cache rule',
      rule: 'From the cache rule',
    },
    tier: '{price} for requests over {above} tokens',
    unknown: 'Unknown',
    notCached: 'Nothing is cached',
    changesByHour: 'These are off-peak prices: the provider charges more at some hours.',
    overlay:
      'These prices are newer than the list: <a>{isQuoted, select, yes {another page that quotes the provider} other {source}}</a>, as of {date}.',
    until: 'These prices end on {date}.',
    ended: 'These prices ended on {date}; no later ones are known here. Type the current ones.',
    reset: 'Reset “{label}”',
    resetAll: 'Reset all of these',
    remove: 'Remove this model',
    rule: 'Prompt caching',
    rules: {
      none: 'Nothing is read from a cache.',
      prefix: 'The longest unchanged start of an earlier request is read from the cache.',
      breakpoint: 'An earlier request is read from the cache if all of it is unchanged.',
      units:
        'What ends with an earlier request or answer, or is shared by two earlier requests, is read from the cache.',
      interval:
        'The provider also stores units at fixed intervals of long inputs, but does not say how long these are. Set a step size to count them.',
    },
    ruleCustom: 'Chosen by you.',
    ruleReset: 'Back to the documented rule',
    ruleUnknown: 'The caching rule of this model is unknown; choose one.',
    ruleSource: '<a>As documented</a>, read {date}.',
    sizes: {
      minimumTokens: 'Minimum size',
      stepTokens: 'Step size',
      contextWindow: 'Context limit',
    },
    tokens: 'tokens',
    add: 'Add a custom model',
    addPlaceholder: 'Model name',
    addDo: 'Add',
    addNote:
      'Its prices are unknown until you type them. If the name starts like that of a known model, tokens are counted as for that model.',
  },
  model: {
    label: 'Model',
    search: 'Search models and providers',
    custom: 'Custom',
    recent: 'Current and recent',
    loading: 'Loading the price list…',
    none: 'No model has that name. Add it under “Prices”.',
    prices: '{input} in · {read} cached · {output} out · {key}',
    more: '{n, plural, one {# more model} other {# more models}}: type to search. Prices per million tokens.',
    left: '{n, plural, =0 {Prices per million tokens.} one {# more: keep typing. Prices per million tokens.} other {# more: keep typing. Prices per million tokens.}}',
  },
} as const
