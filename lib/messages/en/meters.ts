/** What masking saves on the next request, how it is counted, and why nothing is saved. */
export const meters = {
  label: 'What it saves',
  nextRequest: 'Next request',
  requestOf: 'Request {request, number} of {count, number}',
  unknown: '–',
  tokens: 'tokens',
  of: 'of {all}',
  before: 'before {value},',
  after: 'after {value}',
  fewerTokens: '{n, plural, one {# token fewer} other {# tokens fewer}}',
  moreTokens: '{n, plural, one {# token more} other {# tokens more}}',
  sameTokens: 'no change',
  resultsMasked: '{masked} of {results} results, {maskedMessages} of {messages} messages masked',
  characters: '{before} → {after} characters, {change}',
  share: 'results {before} → {after} of tokens',
  context: '{before} of {model}’s context before, {after} after',
  contextOver: 'More than {model}’s context of {limit} tokens: {before} before, {after} after',
  contextUnknown: 'The model’s context limit is not known.',
  contextBar: 'Tokens sent, of the model’s context',
  tokenBar: 'Tokens sent, of those before masking',
  counting: 'Counting tokens',
  announce:
    'Next request: {after} tokens after masking, {before} before, {change}. {masked} of {results} tool results masked.',
  announceSession: 'Whole session with caching: {after} after masking, {before} before.',
  family: {
    isExact: 'exact',
    isEstimate: 'estimate',
  },
  how: {
    open: 'How this is counted',
    title: 'How this is counted',
    request:
      'The next request is the whole conversation as it stands{schemas, plural, =0 {} other {, with # tokens of tool schemas}}.',
    exact: 'Text is counted exactly, under {encoding}, the encoding of {family}.',
    estimate:
      'The tokenizer of {family} is not public, so {encoding} stands in for it. Absolute numbers may be off; shares and percentages are closer.',
    overheads:
      'What surrounds the text is an estimate: {message, number} tokens a message, {name, number} a name, {call, number} a tool call, {request, number} for the start of the answer.',
    nonText:
      '{n, plural, one {# part is no text (an image, say) and is} other {# parts are no text (images, say) and are}} not counted.',
  },
  nonText: '{n, plural, one {# image or other part} other {# images or other parts}} not counted',
  nothing: {
    title: 'Nothing is masked',
    label: 'Why nothing is masked',
    lines: {
      disabled: 'Masking is off.',
      window_off: 'The window is 0, which switches masking off.',
      no_results: 'This conversation has no tool results.',
      below_trigger:
        'The next request has {tokens} tokens, fewer than the trigger of {trigger, number}.',
      in_window:
        '{isAll, select, yes {{turns, plural, one {The only turn is} other {All # turns are}} inside the window of {window, number}.} other {{n, plural, one {# result is} other {# results are}} inside the window of {window, number}.}}',
      before_first_step:
        'The window moves {batch, number} turns at a time, and fewer than that are older than the last {window, number}.',
      text_parts:
        '{n, plural, one {# result is a list of text parts; Schema 1 leaves it} other {# results are lists of text parts; Schema 1 leaves them}} alone.',
      non_text:
        '{n, plural, one {# result has a content that is} other {# results have a content that is}} neither text nor a list of texts.',
      orphan:
        '{n, plural, one {# result answers no call} other {# results answer no call}} of this conversation.',
      no_call_id: '{n, plural, one {# result bears} other {# results bear}} no tool_call_id.',
      excluded_tool:
        '{n, plural, one {# result is of an excluded tool} other {# results are of excluded tools}}.',
      kept_last_k:
        '{n, plural, one {# result is among the last} other {# results are among the last}} {k, number} of its tool.',
      kept_error:
        '{n, plural, one {# result is kept as an error} other {# results are kept as errors}}.',
      already_masked:
        '{n, plural, one {# result is a placeholder already} other {# results are placeholders already}}.',
      would_grow:
        'For {n, plural, one {# result} other {# results}} the placeholder would not be fewer tokens.',
    },
    changes: {
      disabled: 'Turn masking on',
      window_off: 'Set the window to {window, number}',
      in_window: 'Set the window to {window, number}',
      below_trigger: 'Remove the trigger',
      before_first_step: 'Move it every turn',
      text_parts: 'Mask text parts too',
      excluded_tool: 'Exclude no tools',
      kept_last_k: 'Keep none for that',
      kept_error: 'Mask errors too',
      would_grow: 'Mask them anyway',
    },
    masks: '{n, plural, one {would mask # result} other {would mask # results}}',
  },
} as const
