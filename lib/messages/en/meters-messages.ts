/** The next request, how it is counted, and why nothing is masked. */
export const meters = {
  of: 'of {all}',
  messagesMasked: '{masked} of {messages} messages masked',
  characters: '{before} → {after} characters, {change}',
  share: 'Tool results: {before} → {after} of the prompt',
  context: '{before} of {model}’s context before, {after} after',
  contextUnknown: 'The model’s context limit is unknown.',
  contextBar: 'Tokens sent, as a share of the model’s context',
  tokenBar: 'Tokens sent, as a share of the unmasked request',
  how: {
    request:
      'The next request is the full conversation{schemas, plural, =0 {} other {, with # tokens of tool schemas}}.',
    exact: 'Text is counted exactly with {encoding}, the encoding of {family}.',
    estimate:
      'The tokenizer of {family} is not public, so {encoding} is used instead. Absolute numbers may be off; percentages are closer.',
    overheads:
      'The overhead around the text is estimated: {message, number} tokens per message, {name, number} per name, {call, number} per tool call, {request, number} for the start of the answer. The tokens of a single result are those of its text, without this overhead.',
    calibrated:
      'The session and this request are calibrated {isFitted, select, yes {to the usage that the file states} other {by an estimate for the model}}: {slope, number} tokens of the provider for 100 counted{head, plural, =0 {} other {, a head of # tokens that the file does not show}}{request, plural, =0 {} other {, # more for each earlier request}}. A minimum request size is compared with the count before this.',
    nonText:
      '{n, plural, one {# part is not text (an image, for example) and is} other {# parts are not text (images, for example) and are}} not counted.',
  },
  nothing: {
    title: 'Nothing is masked',
    label: 'Why nothing is masked',
    lines: {
      disabled: 'Masking is off.',
      window_off: 'The window is 0, which turns masking off.',
      no_results: 'This conversation has no tool results.',
      below_trigger:
        'We count {tokens} tokens in the next request, fewer than the minimum request size of {trigger, number}.',
      in_window:
        '{isAll, select, yes {{turns, plural, one {The only turn is} other {All # turns are}} inside the window of {window, number}.} other {{n, plural, one {# result is} other {# results are}} inside the window of {window, number}{batch, plural, =1 {} other {, which advances # turns at a time}}.}}',
      before_first_step:
        'The window advances {batch, number} turns at a time. It has not advanced yet: fewer than {batch, number} turns are older than the last {window, number}.',
      text_parts:
        '{n, plural, one {# result is a list of text parts; Schema 1 does not mask it.} other {# results are lists of text parts; Schema 1 does not mask them.}}',
      non_text:
        '{n, plural, one {# result is} other {# results are}} neither text nor a list of text parts.',
      orphan:
        '{n, plural, one {# result answers no call} other {# results answer no call}} of this conversation.',
      without_ids:
        '{n, plural, one {# result and its call have no id; Schema 1 needs one.} other {# results and their calls have no ids; Schema 1 needs them.}}',
      no_call_id: '{n, plural, one {# result has} other {# results have}} no tool_call_id.',
      excluded_tool:
        '{n, plural, one {# result is from an excluded tool} other {# results are from excluded tools}}.',
      kept_last_k:
        '{n, plural, one {# result is among the last {k, number} of its tool} other {# results are among the last {k, number} of their tool}}.',
      kept_error:
        '{n, plural, one {# result is kept as an error} other {# results are kept as errors}}.',
      already_masked:
        '{n, plural, one {# result is already a placeholder} other {# results are already placeholders}}.',
      would_grow:
        'For {n, plural, one {# result} other {# results}}, the placeholder would not use fewer tokens.',
    },
    changes: {
      disabled: 'Turn masking on',
      window_off:
        'Set the window to {window, number}{batch, plural, =0 {} other {, advanced every turn}}',
      in_window:
        'Set the window to {window, number}{batch, plural, =0 {} other {, advanced every turn}}',
      below_trigger: 'Remove the minimum request size',
      before_first_step: 'Advance every turn',
      text_parts: 'Mask text parts too',
      without_ids: 'Link by order',
      excluded_tool: 'Stop excluding tools',
      kept_last_k: 'Set the last N per tool to 0',
      kept_error: 'Mask errors too',
      would_grow: 'Mask them anyway',
    },
    masks: '{n, plural, one {would mask # result} other {would mask # results}}',
  },
} as const
