/** One sentence for each reason, said of one result. */
export const reasons = {
  disabled: 'Kept: masking is off.',
  below_trigger: 'Kept: the request is below the trigger of {trigger, number} tokens.',
  no_call_id: 'Kept: it bears no tool_call_id, so nothing says which call it answers.',
  orphan: 'Kept: no call bears its id.',
  in_window:
    'Kept: turn {turn, number} is one of the last {window, plural, one {turn} other {# turns}}.',
  in_window_step:
    'Kept: turn {turn, number} is older than the last {window, plural, one {turn} other {# turns}}, but the window moves {batch, number} turns at a time.',
  excluded_tool: 'Kept: {tool} is never masked.',
  kept_last_k: 'Kept: one of the last {k, plural, one {result} other {# results}} of {tool}.',
  kept_error: 'Kept as an error: {rules}.',
  non_text: 'Kept: its content is not a string.',
  non_text_parts: 'Kept: its content is a list of text parts; Schema 1 leaves those alone.',
  already_masked: 'Kept: it is this policy’s placeholder already.',
  would_grow: 'Kept: the placeholder would not be fewer tokens.',
  masked:
    'Masked: turn {turn, number} is older than the last {window, plural, one {turn} other {# turns}}.',
} as const

/** What each error rule looks for, to end “Kept as an error: …”. */
export const errorRules = {
  traceback: 'it contains “traceback”',
  exception: 'it contains “exception”',
  error_line: 'a line begins with “error”',
  timeout: 'it contains “timeout”',
  connection: 'it contains “connect_error” or “connection refused”',
  json_error: 'it is JSON with an error',
  flag: 'its format marks it as an error',
} as const
