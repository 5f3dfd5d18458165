/** The drawer for tool calls: repeated calls, checks, broken arguments, next request, simulator. */
export const loop = {
  title: 'Tool calls',
  open: 'Tool calls: {found}',
  close: 'Close tool calls',
  parts: 'Tool calls',
  part: {
    repeated_calls: 'Repeated calls',
    checks: 'Checks',
    arguments: 'Broken arguments',
    errors: 'Error rules',
    next_request: 'Next request',
    simulator: 'Simulator',
  },
  repeats: '{count, plural, one {# repeat} other {# repeats}}',
  found: '{count, plural, one {# finding} other {# findings}}',
  broken: '{count, plural, one {# broken argument} other {# broken arguments}}',
  problems: '{count, plural, one {# problem} other {# problems}}',
  nothing: 'no repeats',
  marks: {
    found: 'repeats in {count, plural, one {# turn} other {# turns}}',
    stopped: 'stops in {count, plural, one {# turn} other {# turns}}',
    step: 'Go to the next',
  },
} as const
