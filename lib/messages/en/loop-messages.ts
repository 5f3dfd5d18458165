/** The drawer for tool calls: repeated calls, checks, next request, simulator. */
export const loop = {
  title: 'Tool calls',
  open: 'Tool calls: {found}',
  close: 'Close tool calls',
  parts: 'Tool calls',
  part: {
    repeated_calls: 'Repeated calls',
    checks: 'Checks',
    errors: 'Error rules',
    next_request: 'Next request',
    simulator: 'Simulator',
  },
  repeats: '{count, plural, one {# repeat} other {# repeats}}',
  found: '{count, plural, one {# finding} other {# findings}}',
  problems: '{count, plural, one {# problem} other {# problems}}',
  nothing: 'no repeats',
  marks: {
    found: '{count, number} in repeats',
    stopped: '{count, number} stopped by a guard',
    step: 'Go to the next',
  },
} as const
