/** What a report says, and the sentences it shares with the page. */
export const report = {
  title: 'What masking old tool results saves',
  subtitle:
    '{hasName, select, yes {{name}: one} other {One}} recorded agent session ({format}), {messages, plural, one {# message} other {# messages}}, {results, plural, one {# tool result} other {# tool results}} in {turns, plural, one {# tool turn} other {# tool turns}}, replayed as the {requests, plural, one {# request} other {# requests}} the agent sent{isLog, select, yes { (as logged)} other {}}. Made on {day}.',
  headline: {
    saves:
      '{caching, select, yes {With the prompt caching of {model}, masking} other {Masking}} makes the input of this session {share} cheaper: {after} instead of {before}.',
    costs:
      '{caching, select, yes {With the prompt caching of {model}, masking} other {Masking}} makes the input of this session {share} dearer: {after} instead of {before}.',
    same: 'Masking changes nothing of what this session costs: {before}.',
    off: 'Masking is switched off: this session costs {before} of input, prompt caching included.',
    price_unknown:
      'Masking changes the tokens of this session by {tokensChange}. What that costs is not known: there is no price for {model}.',
  },
  detail: {
    what: 'An agent sends its whole history again with every request. Masking puts a one-line placeholder in the place of tool results older than the last {window, plural, one {turn} other {# turns}}{batch, plural, =1 {} other {, moving that line # turns at a time}}; what the policy below keeps, and all that is no tool result, stays. It is not redaction.',
    tokensAndMoney:
      'Tokens change by {tokensChange}; without caching, the cost follows them. Providers charge less for a beginning of the request they have seen before; masking changed an earlier message in {breaks, plural, =0 {no request} one {# request} other {# requests}} of {requests, number}, and what follows such a change is paid in full again.',
  },
  figures: {
    next: 'Next request',
    plain: 'Whole session, no caching',
    cached: 'Whole session, with caching',
    tokens: '{value} tokens',
    nextNote: 'the whole conversation as it stands',
    plainNote:
      'input of {requests, plural, one {# request} other {# requests}}, {before} → {after} tokens',
    cachedNote: 'input; {before} → {after} of the tokens read from the cache',
    noCaching: 'no prompt caching is counted with',
  },
  chart: {
    title: 'Cost of input so far, request by request',
    cached: 'With prompt caching',
    plain: 'Without caching',
    context: 'Tokens of each request',
    before: 'Sent whole',
    after: 'Masked',
    request: 'request {n, number}',
    laterRequest: '{n, number}',
    limit: 'limit {tokens}',
    description:
      '{title}. {caching, select, yes {With prompt caching} other {Without caching}}: {before} sent whole, {after} masked, after {requests, plural, one {# request} other {# requests}}.',
    tokensTitle: 'Tokens of input so far, request by request',
  },
  strategies: {
    title: 'The same session, other ways',
    columns: {
      strategy: 'Strategy',
      tokens: 'Input tokens',
      plain: 'No caching',
      cached: 'With caching',
      lost: 'Missing in the last request',
      complexity: 'Complexity',
    },
    names: {
      everything: 'Send everything',
      as_set:
        '{isOff, select, yes {Masking, as set: off} other {Masking, as set: window {window, number}, every {batch, plural, one {turn} other {# turns}}}}',
      recommended:
        '{isCheaper, select, yes {Masking, recommended} other {Masking, least dear}}: window {window, number}, every {batch, plural, one {turn} other {# turns}}',
      truncated: 'Cut long results in the middle *',
      summarised: 'Summarise old turns by a model *',
    },
    lost: {
      nothing: 'nothing',
      masked:
        '{count, number} of {of, number} results, {tokens} tokens; placeholders stand for them',
      truncated: 'the middle of {count, number} of {of, number} results, {tokens} tokens',
      summarised:
        '{count, number} of {of, number} turns, {tokens} tokens; a summary stands for them',
    },
    complexity: {
      low: 'low',
      medium: 'medium',
      high: 'high',
      everything: 'nothing to build',
      as_set: 'a pure step before each request',
      recommended: 'the same, tuned on recorded sessions',
      truncated: 'one rule, once for each result',
      summarised:
        '{calls, plural, =0 {no model call yet} one {# model call} other {# model calls}} of its own, summaries to check',
    },
    notes: {
      estimates:
        '* Estimates. Cutting keeps the first {head, number} and last {tail, number} characters of results over {limit, number}, tokens in proportion to characters. Summaries are of {summary, number} tokens, rewritten every {every, number} turns, the last {keep, number} turns kept whole; {calls, plural, =0 {this session is too short for one} one {the one call for it is} other {the # calls for them are}}{calls, plural, =0 {} other { counted in at {cost}}}.',
    },
  },
  when: {
    title: 'When it saves, and when not',
    breakEven: {
      from_first:
        'With caching, masking never costs more than sending everything, from the first request on.',
      from_request:
        'With caching, masking is cheaper from request {request, number} of {requests, number} on; a session that ends before that pays more with it.',
      never:
        'With caching, masking has not paid off by the last of the {requests, plural, one {# request} other {# requests}}.',
    },
    breakEvenPlain: {
      from_first: 'Without caching it is cheaper from the first request on.',
      from_request: 'Without caching it is cheaper from request {request, number} on.',
      never: 'Without caching it has not paid off either.',
    },
    recommendation: {
      mask: 'Cheapest setting{smallest, plural, =1 {} other { with a window of at least # turns}}: {window, plural, one {# turn} other {# turns}}, moved every {batch, plural, one {turn} other {# turns}}. It costs {cost}, {change} against sending everything.',
      do_not_mask:
        'Do not mask this session{smallest, plural, =1 {} other { with a window of # turns or more}}: sending everything is cheaper{hasCheapest, select, yes {; the best such setting, {window, plural, one {# turn} other {# turns}} moved every {batch, plural, one {turn} other {# turns}}, costs {cost}, {change}} other {}}.',
      no_results: 'There are no tool results to mask.',
      nothing_maskable: 'The policy keeps all {results, number} tool results, whatever the window.',
      price_unknown: 'No setting can be recommended: a price is not known.',
    },
    isSet: 'These are the settings of this report.',
    overflow: {
      unknown: 'How much context {model} takes is not known, so whether requests fit is not said.',
      never: 'All requests fit the {limit} tokens {model} takes, masked or not.',
      before:
        'Sent whole, request {before, number} is the first over the {limit} tokens {model} takes; masked, all fit.',
      after:
        'Sent whole, all requests fit the {limit} tokens {model} takes; masked, request {after, number} is the first over it.',
      both: 'Sent whole, request {before, number} is the first over the {limit} tokens {model} takes; masked, request {after, number} is.',
    },
    quality:
      'Whether the agent works as well without the old results is not measured here. Shorter sessions, other models and other prices give other answers.',
  },
  assumptions: {
    title: 'Assumptions',
    steps:
      'The agent takes the same steps with masking as without; the recorded requests are sent again, one by one.',
    cache: {
      none: 'No prompt caching is counted with.',
      prefix:
        'Caching ({label}): the longest unchanged beginning of an earlier request is read from the cache, from {minimum, number} tokens on{step, plural, =1 {} other {, in steps of # tokens}}.',
      breakpoint:
        'Caching ({label}): a request is read from the cache up to the end of an earlier request whose whole text is unchanged, from {minimum, number} tokens on.',
      source: 'The rule was read in {date} at {source}',
      user: 'Rule or sizes are set by hand.',
      unknown: 'No rule is known for this model, so none is counted.',
      expiry:
        'Nothing expires from the cache between two requests, and one session runs at a time.',
    },
    answers:
      'Costs are of input. The answers are the same either way: {tokens} tokens{hasCost, select, yes {, {cost} more} other {}}.',
    tokensExact:
      'Text is counted exactly under {encoding}; marks around messages and calls are estimates.',
    tokensEstimate:
      'The tokenizer of {model} is not public; {encoding} stands in for it. Shares are closer than absolute numbers.',
    nonText:
      '{n, plural, one {# image or other part that is no text is} other {# images or other parts that are no text are}} not counted.',
    byHour: 'The provider charges more at some hours; the prices here are those outside them.',
  },
  policy: {
    title: 'Policy',
    on: 'true',
    off: 'false',
    all: 'all',
    none: 'none',
  },
  prices: {
    title: 'Model, and prices of a million tokens',
    model: 'Model',
    input: 'Input',
    cachedRead: 'Read from cache',
    cacheWrite: 'Written to cache',
    output: 'Output',
    tier: '{price} over {tokens}',
    unknown: 'not known',
    origin: {
      cache_rule: ' (by the cache rule)',
      user: ' (set by hand)',
    },
    list: 'Price list',
    listValue: '{source} {version}, {date}',
    own: 'set by hand',
    url: 'Provider’s list',
    context: 'Context limit',
    contextValue: '{tokens} tokens',
  },
  tools: {
    title: 'Tool results of the next request, by tool',
    unknown: 'tool unknown',
    value:
      '{results, plural, one {# result} other {# results}}, {masked, number} masked, {tokens} tokens',
    others: '{n, plural, one {# other tool} other {# other tools}}',
  },
  footer: {
    made: 'Made by the Observation Masking Playground.',
    names: 'The names of the file and of its tools are in it; no text of the transcript is.',
    noNames: 'No text of the transcript is in it, and no names from it.',
  },
  unknown: '–',
} as const
