/** Later uses of results: what masking loses, and what it may cost. */
export const uses = {
  outcomes: {
    what: 'This page replays recorded steps; it cannot say what the agent would have done. Published runs can: SWE-agent on SWE-bench Verified with and without masking (the last 10 results kept), the same tasks in both, {pairs, number} pairs.',
    model: 'Model',
    pairs: 'Pairs',
    turns: 'Turns',
    solved: 'Solved, points',
    interval: '{points} ({low} to {high})',
    limits:
      'Intervals are of 95%; each includes 0 or ends there. They cover one agent, coding, and one window. Search agents behaved differently (arXiv 2606.00408: +11.7 to −1.1 points).',
    worst:
      'With the current settings, the most extra turns of these ({turns}) and all fetching included, the input of this session would cost about {cost}, {change}.',
    source: 'Source: arXiv 2508.21433 and its published table of runs.',
  },
  histogram: {
    label:
      'Later uses by distance in turns: {uses, number} in all, {share} within {turns, plural, one {# turn} other {# turns}}, {lost, number} lost',
    sentence:
      '{share} of later uses come within {turns, plural, one {# turn} other {# turns}}{isAll, select, yes {} other {; the farthest after {farthest, plural, one {# turn} other {# turns}}}}.',
  },
  places: {
    again:
      '{isLost, select, yes {Used again after masking} other {Used again while still sent,}} at <a>turn {turn, number}</a>: ',
    read: '{isLost, select, yes {Taken from <a>turn {turn, number}</a>, masked by then} other {Taken from <a>turn {turn, number}</a>}}: ',
    more: 'and {count, number} more',
    hover: 'used again at turn {turn, number}: {term}',
    hoverLost: 'used again after masking, at turn {turn, number}: {term}',
  },
} as const
