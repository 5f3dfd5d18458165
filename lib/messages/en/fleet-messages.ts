/** One setting for all sessions of the file list. */
export const fleet = {
  label: 'One setting for all sessions',
  working: 'Adding up {count, plural, one {# session} other {# sessions}}…',
  failed:
    'The sessions could not be added up: the worker ended. Change the filter or the policy to try again.',
  mask: 'Window {window, number}{batch, plural, =1 {} other {, every # turns,}} for all {count, number} sessions saves {share} ({low} to {high}).',
  doNotMask:
    'Do not mask: no one setting saves these {count, plural, one {# session} other {# sessions}} more than 1%.',
  no_results: 'No request of these sessions sends a tool result.',
  nothing_maskable:
    'The policy keeps every result: {results, plural, one {#} other {all #}} of them.',
  price_unknown: 'Prices of these sessions are unknown, so no setting is recommended.',
  again:
    'If everything lost is fetched again, it saves {share} ({low} to {high}), and {count, plural, =0 {no session costs more} one {# session costs more} other {# sessions cost more}}{hasWorst, select, true {, most {file}: {change}} other {}}.',
  once: 'If nothing is, {count, plural, =0 {no session costs} one {# session costs} other {# sessions cost}} more.',
  own: 'Each session with its own cheapest setting would save {share}: one setting for all gives away {given}.',
  ownEqual: 'Each session with its own cheapest setting would save no more: {share}.',
  ownOnly: 'Each session with its own cheapest setting would save {share}.',
  unpriced:
    '{count, plural, one {# session is} other {# sessions are}} left out: a price is unknown.',
  interval:
    'In brackets: the range of 95% of 1,000 samples, each with as many sessions drawn from these. Costs are with caching and include answers.',
  apply: 'Apply to all',
  applied: 'In use',
  points: '{value} points',
  every: 'Every window and step, all sessions together',
  chart: {
    title: 'Cost of each session, with caching: {policy}',
    policy:
      '{isOn, select, yes {window {window, number}{batch, plural, =1 {} other {, every # turns}}} other {masking off}}',
    before: 'without masking',
    after: 'with masking',
    cheaper: 'cheaper {count, number}',
    same: 'unchanged {count, number}',
    costlier: 'more expensive {count, number}',
    regions: { cheaper: 'below: cheaper', costlier: 'above: more expensive' },
    reader: 'Selected session',
    keys: 'Arrow keys: one session, in the order of their cost without masking. Page Up and Page Down: ten. Home and End: first and last. Escape: clear the selection.',
    hint: 'Point at a mark, or use the arrow keys. The table below has every session.',
    session:
      '{file}{hasOthers, select, true {, conversation {conversation, number}} other {}}: {before} → {after} ({change}), {requests, plural, one {# request} other {# requests}}',
  },
} as const
