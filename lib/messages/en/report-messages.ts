/** The report, and the sentences it shares with the page. */
export const report = {
  title: 'Masking old tool results: cost of one session',
  subtitle:
    '{hasName, select, yes {{name}: one} other {One}} recorded agent session ({format}), {messages, plural, one {# message} other {# messages}}, {results, plural, one {# tool result} other {# tool results}} in {turns, plural, one {# tool turn} other {# tool turns}}, replayed as the {requests, plural, one {# request} other {# requests}} the agent sent{isLog, select, yes { (as logged)} other {}}. Created on {day}.',
  headline: {
    saves:
      '{caching, select, yes {With the prompt caching of {model}, masking} other {Masking}} makes the input of this session {share} cheaper: {after} instead of {before}.',
    costs:
      '{caching, select, yes {With the prompt caching of {model}, masking} other {Masking}} makes the input of this session {share} more expensive: {after} instead of {before}.',
    same: 'Masking does not change the cost of this session: {before}.',
    off: 'Masking is off: the input of this session costs {before}, including prompt caching.',
    price_unknown:
      'Masking changes the tokens of this session by {tokensChange}. The cost is unknown: there is no price for {model}.',
    risk: '{worst, select, none {} other {At worst {worst}: }}{results, plural, one {# result is} other {# results are}} used again after masking.',
  },
  detail: {
    what: 'An agent sends its full history again with every request. Masking replaces tool results older than the last {window, plural, one {turn} other {# turns}} with a one-line placeholder{batch, plural, =1 {} other {, advancing the window # turns at a time}}. Results that the policy below keeps, and everything that is not a tool result, stay unchanged. Masking is not redaction.',
    tokensAndMoney:
      'Tokens change by {tokensChange}; without caching, the cost changes in proportion. Providers charge less for the start of a request they have seen before. Masking changed an earlier message in {breaks, plural, =0 {no request} one {# request} other {# requests}} of {requests, number}; everything after such a change is charged in full again.',
  },
  calibration: {
    title: 'Calibration of token counts',
    unseen: 'Unseen',
    unseenValue: '{head} tokens at the head, {request} with each request',
    slope: 'Provider’s tokens per 100 counted',
    basis: 'Basis',
    fit: 'usage of {requests, plural, one {# request} other {# requests}}; half deviate by less than {percent}%',
    set: 'set by hand',
    estimate: 'estimate for the tokenizer: {source}',
    off: 'switched off',
  },
  figures: {
    next: 'Next request',
    plain: 'Session, no caching',
    cached: 'Session, with caching',
    cachedUnknown: 'Session, caching unknown',
    nextNote: 'tokens of the full conversation',
    plainNote:
      'input of {requests, plural, one {# request} other {# requests}}, {before} → {after} tokens',
    cachedNote: 'input; {before} → {after} of the tokens read from the cache',
    noCaching: 'without prompt caching',
  },
  chart: {
    title: 'Cumulative input cost by request',
    cached: 'With prompt caching',
    cachedUnknown: 'Caching unknown',
    plain: 'Without caching',
    context: 'Tokens per request',
    before: 'Unmasked',
    after: 'Masked',
    request: 'request {n, number}',
    laterRequest: '{n, number}',
    limit: 'limit {tokens}',
    description:
      '{title}. {caching, select, yes {With prompt caching} other {Without caching}}: {before} unmasked, {after} masked, after {requests, plural, one {# request} other {# requests}}.',
    tokensTitle: 'Cumulative input tokens by request',
  },
  strategies: {
    title: 'The same session with other strategies',
    columns: {
      strategy: 'Strategy',
      tokens: 'Input tokens',
      plain: 'No caching',
      cached: 'With caching',
      cachedUnknown: 'Caching unknown',
      lost: 'Missing from the last request',
      complexity: 'Complexity',
      remark: 'Risk and remarks',
    },
    names: {
      everything: 'Send everything',
      as_set:
        '{isOff, select, yes {Masking, current settings: off} other {Masking, current settings: window {window, number}, every {batch, plural, one {turn} other {# turns}}}}',
      recommended:
        '{isCheaper, select, yes {Masking, recommended} other {Masking, its cheapest setting{smallest, plural, =1 {} other { with a window of # turns or more}}}}: window {window, number}, every {batch, plural, one {turn} other {# turns}}',
      truncated: 'Truncate long results in the middle *',
      summarised: 'Summarise old turns with a model *',
    },
    lost: {
      nothing: 'nothing',
      masked: '{count, number} of {of, number} results, {tokens} tokens, replaced by placeholders',
      truncated: 'the middle of {count, number} of {of, number} results, {tokens} tokens',
      summarised: '{count, number} of {of, number} turns, {tokens} tokens, replaced by a summary',
    },
    risk: {
      nothing: 'low risk: nothing is missing here',
      everything: 'low risk, but reaches the context limit first',
      as_set: 'medium risk: an old result may be needed again',
      recommended: 'medium risk, as above',
      truncated: 'medium risk: cuts results still being read',
      summarised: 'medium risk: may omit facts; adds delay',
    },
    complexity: {
      explained: '{complexity}: {phrase}',
      low: 'low',
      medium: 'medium',
      high: 'high',
      everything: 'nothing to build',
      as_set: 'a pure function before each request',
      recommended: 'the same, tuned on recorded sessions',
      truncated: 'one rule per result',
      summarised:
        '{calls, plural, =0 {no summary needed here} one {# extra model call} other {# extra model calls}}, summaries to check',
    },
    notes: {
      estimates:
        '* Estimates. Truncation keeps the first {head, number} and last {tail, number} characters of results longer than {limit, number}, with tokens in proportion to characters. Summaries have {summary, number} tokens and are rewritten every {every, number} turns; the last {keep, number} turns stay in full. {calls, plural, =0 {This session is too short for a summary.} one {The cost includes the one summary call ({cost}).} other {The cost includes the # summary calls ({cost}).}}',
    },
  },
  when: {
    title: 'When masking saves money',
    breakEven: {
      from_first:
        'With caching, masking never costs more than sending everything, from the first request on.',
      from_request:
        'With caching, masking is cheaper from request {request, number} of {requests, number} on; a session that ends earlier saves nothing or costs more.',
      never:
        'With caching, masking has not paid off by the last of the {requests, plural, one {# request} other {# requests}}.',
    },
    breakEvenPlain: {
      from_first: 'Without caching, masking is cheaper from the first request on.',
      from_request: 'Without caching, masking is cheaper from request {request, number} on.',
      never: 'Without caching, masking has not paid off either.',
    },
    recommendation: {
      mask: 'Recommended on this session, in hindsight: a window of {window, plural, one {# turn} other {# turns}}, advanced every {batch, plural, one {turn} other {# turns}}{smallest, plural, =1 {} other { (smallest window allowed: #)}}. It costs {cost}, {change} compared with sending everything{lost, plural, =0 {, and loses nothing that is used later} other {; {worst} if everything it loses is fetched again}}. Of the settings {rule, select, keep_uses {that keep {kept} of the later uses and } other {}}that cost at most 1% more than the cheapest if everything lost is fetched again, it keeps the most tokens.',
      do_not_mask:
        '{smallest, plural, =1 {Do not mask this session} other {A window of # turns or more does not pay off here}}: in hindsight, none {rule, select, keep_uses {that keeps {kept} of the later uses } other {}}saves more than 1% once all it loses is fetched again{hasCheapest, select, yes {; the cheapest such setting that masks a result, {window, plural, one {# turn} other {# turns}} advanced every {batch, plural, one {turn} other {# turns}}, costs {cost}, {change}} other {}}.',
      no_results: 'There are no tool results to mask.',
      nothing_maskable: 'The policy keeps all {results, number} tool results at any window.',
      price_unknown: 'There is no recommendation because a price is unknown.',
    },
    overflow: {
      unknown:
        'The context limit of {model} is unknown, so the report does not say whether requests fit.',
      never: 'All requests fit {model}’s limit of {limit} tokens, masked or not.',
      before:
        'Unmasked, request {before, number} is the first over {model}’s limit of {limit} tokens; masked, all requests fit.',
      after:
        'Unmasked, all requests fit {model}’s limit of {limit} tokens; masked, request {after, number} is the first over it.',
      both: 'The first request over {model}’s limit of {limit} tokens is request {before, number} unmasked and request {after, number} masked.',
    },
    quality:
      'The report does not measure whether the agent works as well without the old results. Shorter sessions, other models and other prices give different answers.',
  },
  history:
    '{found, plural, =0 {Without masking, this history has nothing that a provider is known to reject.} one {A provider can reject # place of this history, with or without masking.} other {Providers can reject # places of this history, with or without masking.}}{added, plural, =0 {} one { Masking changes a result before the signed thinking of # answer, which the newest Claude models reject.} other { Masking changes results before the signed thinking of # answers, which the newest Claude models reject.}}',
  historyModel: {
    rejects: '{model} is one of them.',
    accepts: '{model} is not one of them.',
  },
  losses: {
    title: 'What masking loses',
    counts:
      'Answers used {uses, plural, =0 {no specific term} one {# specific term} other {# specific terms}} that only tool results had told the model{uses, plural, =0 {.} other {, {share} of them within {turns, plural, one {# turn} other {# turns}}.}} {lost, plural, =0 {This policy loses none.} other {Under this policy # could no longer be read, from {results, plural, one {# masked result} other {# masked results}}.}}',
    range:
      'If each of these results is fetched again once, the input costs {worst} ({change} compared with sending everything) instead of {cost}{breakEven, select, none {} other {; masking pays off with up to {breakEven} such fetches}}.',
    definition:
      'A term (path, URL, id, number, name, quotation, line) is lost if the request had it in results only and the masked request does not have it: a fact that a search can check, and no failure. The agent may fetch it again or do without; other words for it are not found, and a name that the model knows can be counted.',
    outcomes:
      'Published, {pairs, number} pairs of coding runs of one agent with five models, all but the last 10 results masked: turns {fewest} to {most}, solved tasks {worst} to {best} points, each interval includes 0 or ends there (arXiv 2508.21433). Search agents differ (arXiv 2606.00408).',
  },
  assumptions: {
    title: 'Assumptions',
    steps:
      'The agent takes the same steps with and without masking; the recorded requests are replayed one by one.',
    cache: {
      none: 'Prompt caching is not included.',
      prefix:
        'Caching ({label}): the longest unchanged start of an earlier request is read from the cache if it has at least {minimum, number} tokens{step, plural, =1 {} other {, in steps of # tokens}}.',
      breakpoint:
        'Caching ({label}): an earlier request is read from the cache if all of it is unchanged and it has at least {minimum, number} tokens.',
      units:
        'Caching ({label}): a start of at least {minimum, number} tokens that ends with an earlier request or answer, or that two earlier requests share, is read from the cache{step, plural, =0 {. Units at fixed intervals of long inputs, whose size is not documented, are left out} other {, and so is every # tokens of a shared start}}.',
      source: 'Source of the rule, read in {date}: {source}',
      user: 'The rule or its sizes were set by hand.',
      unknown: 'The caching rule of this model is unknown, so no caching is counted.',
      noExpiry: 'Cache entries do not expire between two requests, and sessions run one at a time.',
      expiry: 'Cache entries expire by the times of the transcript; sessions run one at a time.',
    },
    answers:
      'Costs are for input. Output tokens ({tokens} in {requests, plural, one {# request} other {# requests}}) add {hasCost, select, yes {{cost}, unchanged by masking} other {the same cost with and without masking}}.',
    tokensExact:
      'Text is counted exactly with {encoding}; the overhead around messages and calls is estimated.',
    tokensEstimate:
      'The tokenizer of {model} is not public, so {encoding} is used instead. Percentages are closer than absolute numbers.',
    nonText:
      '{n, plural, one {# image or other part that is not text is} other {# images or other parts that are not text are}} not counted.',
    byHour: 'These are off-peak prices: the provider charges more at some hours.',
  },
  policy: {
    title: 'Policy',
    on: 'true',
    off: 'false',
    none: 'none',
    unnamed: '{n, plural, one {# name, not in this report} other {# names, not in this report}}',
  },
  prices: {
    title: 'Model and prices per million tokens',
    model: 'Model',
    input: 'Input',
    cachedRead: 'Read from cache',
    cacheWrite: 'Written to cache',
    output: 'Output',
    tier: '{price} over {tokens}',
    unknown: 'unknown',
    origin: {
      cache_rule: ' (from the cache rule)',
      user: ' (set by hand)',
    },
    list: 'Price list',
    listValue: '{source}, {date}',
    custom: 'set by hand',
    url: 'Provider’s price list',
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
    made: 'Created with the Observation Masking Playground.',
    names: 'It includes the names of the file and its tools, but no text of the transcript.',
    noNames: 'It includes no text and no names from the transcript.',
  },
} as const
