/** A sentence for each reason of a decision. */
export const reasons = {
  disabled: 'Kept: masking is off.',
  below_trigger:
    'Kept: the request has fewer than {trigger, number} tokens, the minimum request size.',
  no_call_id: 'Kept: it has no tool_call_id, so the call it answers is unknown.',
  orphan: 'Kept: no call has its id.',
  in_window:
    'Kept: turn {turn, number} is one of the last {window, plural, one {turn} other {# turns}}.',
  in_window_step:
    'Kept: turn {turn, number} is older than the last {window, plural, one {turn} other {# turns}}, but the window advances {batch, number} turns at a time.',
  excluded_tool: 'Kept: {tool} is never masked.',
  kept_last_k: 'Kept: one of the last {k, plural, one {result} other {# results}} of {tool}.',
  kept_error: 'Kept as an error: {rules}.',
  non_text: 'Kept: its content is not a string.',
  non_text_parts: 'Kept: its content is a list of text parts, which Schema 1 does not mask.',
  already_masked: 'Kept: it is already this policy’s placeholder.',
  would_grow: 'Kept: the placeholder would not use fewer tokens.',
  masked:
    'Masked: turn {turn, number} is older than the last {window, plural, one {turn} other {# turns}}.',
  masked_step:
    'Masked: turn {turn, number} is before turn {first, number}, the first in the window.',
} as const

/** Completes “Kept as an error: …” for each error rule. */
export const errorRules = {
  traceback: 'it contains “traceback”',
  exception: 'it contains “exception”',
  error_line: 'a line begins with “error”',
  timeout: 'it contains “timeout”',
  connection: 'it contains “connect_error” or “connection refused”',
  json_error: 'it is JSON with an error',
  flag: 'its format marks it as an error',
  stack_trace: 'it has a stack trace',
  exit_code: 'it has an exit code other than 0',
  error_flag: 'it has a key “is_error” that is true',
  json_failure: 'it has “success” false or “status” error',
  pattern: 'it contains one of your texts',
} as const
