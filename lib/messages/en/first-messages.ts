/** What the first view shows of parts whose other texts load after it. */
export const first = {
  meters: {
    howCounted: 'How this is counted',
    label: 'Effect of masking',
    nextRequest: 'Next request',
    requestOf: 'Request {request, number} of {count, number}',
    unknown: '–',
    tokens: 'tokens',
    before: 'before {value},',
    after: 'after {value}',
    fewerTokens: '{n, plural, one {# token fewer} other {# tokens fewer}}',
    moreTokens: '{n, plural, one {# token more} other {# tokens more}}',
    sameTokens: 'no change',
    resultsMasked: '{masked} of {results} results masked',
    contextOver: 'More than the context of {limit} tokens.',
    counting: 'Counting tokens',
    announce:
      'Next request: {after} tokens after masking, {before} before, {change}. {masked} of {results} tool results masked.',
    announceSession:
      'Session cost{rule, select, unknown {, caching unknown} other { with caching}}: {after} after masking, {before} before.',
    family: {
      exact: 'exact tokenizer',
      estimate: 'estimate',
      calibrated: 'calibrated',
    },
    nonText: '{n, plural, one {# image or other part} other {# images or other parts}} not counted',
  },
  cost: {
    figures: {
      plain:
        '{n, plural, =0 {Session cost, no caching} one {Session cost, # request, no caching} other {Session cost, # requests, no caching}}',
      plainTokens:
        '{n, plural, one {Session tokens, # request} other {Session tokens, # requests}}',
      cached:
        'Session cost, {rule, select, unknown {caching unknown} other {with caching}} <model></model>',
      tokens: 'tokens',
      inputTokens: '{before} → {after} tokens of input',
      answers:
        'Counts the input alone{isKnown, select, yes {; the output of {n, plural, one {# request} other {# requests}} adds {cost} (unchanged)} other {}}.',
      plainHint: 'The figure without caching charges every token in full each time.',
      details: 'How this cost arises',
      estimated: 'Counted × {factor, number} for Claude’s tokenizer: an estimate.',
    },
    note: {
      unknown: '–',
      ended: 'These prices have ended.',
      breaks:
        '{n, plural, one {invalidates the cache once} two {invalidates the cache twice} other {invalidates the cache # times}}',
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
      even: 'Masking does not change the cost here.',
      charged:
        'The provider charged {cost} for this input. Both figures are of our replay of the requests, so that they can be compared.',
      paysAlways: 'Masking saves money from the first request on.',
      pays: 'Masking has paid off from request {from} of {all} on.',
    },
    request: {
      label: 'Earlier request',
      title: 'Request {request, number} of {count, number}',
      goTo: 'Go to request',
      goToOf: 'of {count, number}',
      goToOfOrDrag: 'of {count, number}, or drag the mark at the end',
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
  },
  reading: {
    badge: {
      title: 'Document',
      details: 'Document details:',
      conversations: '{count, plural, one {# conversation} other {# conversations}}',
      messages: '{count, plural, one {# message} other {# messages}}',
      turns: '{count, plural, one {# turn} other {# turns}}',
      results: '{count, plural, one {# result} other {# results}}',
      problems: '{count, plural, one {# problem} other {# problems}}',
      reading: 'Reading, {percent, number}%',
      unreadable: 'could not be read',
      shapes: {
        message_array: 'message array',
        request_body: 'request body',
        message_lines: 'one message per line',
        body_lines: 'one conversation per line',
        nested_lists: 'nested lists',
        event_lines: 'event log',
        event_array: 'list of events',
        session: 'saved session',
        trace: 'trace',
        har: 'HAR file',
      },
    },
  },
  report: {
    unknown: '–',
    charged: {
      title: 'Charged by the provider for {requests, plural, one {# request} other {# requests}}',
      masked:
        '{all, select, none {Charged {cost}} other {This conversation was charged {cost} ({all} for {conversations, plural, =0 {all conversations} other {all # conversations}})}}; with this policy it would have been about {masked} ({change}).',
      same: '{all, select, none {Charged {cost}} other {This conversation was charged {cost} ({all} for {conversations, plural, =0 {all conversations} other {all # conversations}})}}; this policy does not change it.',
      off: '{all, select, none {Charged {cost}} other {This conversation was charged {cost} ({all} for {conversations, plural, =0 {all conversations} other {all # conversations}})}}; masking is off.',
      input: 'Input',
      output: 'Answers',
      cache: 'Cache',
      amount: '{cost} for {tokens} tokens',
      cacheValue:
        '{read} tokens read, {written} written{hour, select, none {} other {, {hour} for an hour}}',
      differs: 'From our count of the transcript to the charge',
      parts: {
        plain: 'Our count, cache without expiry',
        head: 'System prompt and tools not in the file',
        counting: 'Provider’s tokenizer, unseen tokens per request',
        hour_writes: 'Cache writes for one hour',
        expiry: 'Cache entries that expired',
        model: 'Change of model',
        compaction: 'First request after a compaction',
        misses: 'Cache misses that no rule foresees',
        rest: 'Rest',
        charged: 'Charged',
      },
    },
  },
  drafts: {
    recent: 'Recent',
    recentTip: 'Transcripts stored in this browser; save the open one as a file',
  },
  share: {
    button: 'Share',
  },
  fileList: {
    title: 'Files',
    listed: 'Files: {count, number}',
    at: '{position, number} of {count, number}',
    atLabel: 'File {position, number} of {count, number}',
    previous: 'Previous file',
    previousTip: "Previous file, key '{'",
    next: 'Next file',
    nextTip: 'Next file, key }',
  },
  uses: {
    arcs: {
      legend: '{count, number} used again',
      legendLost: '{count, number} used again after masking',
      step: '{label}: go to the next',
    },
  },
  panes: {
    missing: 'The editor could not be loaded; everything else works.',
    reload: 'Reload the page',
  },
} as const
