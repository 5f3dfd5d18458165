/** Later uses of results: what masking loses, and what it may cost. */
export const uses = {
  /** Beside the cost of the session. */
  risk: {
    label: 'What masking loses',
    kept: 'Every later use of a result ({uses, number}) could still be read.',
    lost: '{results, plural, one {# result was used again after it was masked} other {# results were used again after they were masked}} (<a>{uses, plural, one {# use} other {# uses}}</a>): <b>{worst}</b> if the agent fetches {results, plural, one {it} other {all of them}} again{breakEven, select, none {} other {; it breaks even at {breakEven} of them}}.',
    lostWithoutPrices:
      '{results, plural, one {# result was used again after it was masked} other {# results were used again after they were masked}} (<a>{uses, plural, one {# use} other {# uses}}</a>).',
    cheapestAtWorst:
      'Even if all it loses is fetched again, window {window, number}, {batch, plural, =1 {every turn} other {every # turns}} is cheapest: <b>{worst}</b> then, {change} if nothing is; {lost, plural, =0 {no use} one {# use} other {# uses}} lost.',
    noneAtWorst:
      'If all that is lost is fetched again, no window of {smallest, number} turns or more is cheaper than sending everything.',
    keeping:
      'To keep {share} of the later uses, window {window, number}, {batch, plural, =1 {every turn} other {every # turns}}: {change}, <b>{worst}</b> if the {lost, plural, one {# lost use is} other {# lost uses are}} fetched again.',
    keepingAll:
      'To keep {share} of the later uses, window {window, number}, {batch, plural, =1 {every turn} other {every # turns}}: <b>{change}</b>, none lost.',
    floor:
      'At least {smallest, plural, one {# turn} other {# turns}}; the least is set in the table of the chart.',
    settings: 'Settings that lose less',
    choose: 'Apply',
    isSet: 'It is set.',
  },
  outcomes: {
    title: 'Will it work as well?',
    what: 'This page replays recorded steps; it cannot say what the agent would have done. Published runs can: SWE-agent on SWE-bench Verified with and without masking (the last 10 results kept), the same tasks in both, {pairs, number} pairs.',
    model: 'Model',
    pairs: 'Pairs',
    turns: 'Turns',
    solved: 'Solved, points',
    interval: '{points} ({low} to {high})',
    limits:
      'Intervals are of 95 %; none clearly excludes 0. They cover one agent, coding, and one window. Search agents behaved differently (arXiv 2606.00408: +11.7 to −1.1 points).',
    worst:
      'With the most extra turns of these ({turns}), fetching included, the input of this session would cost about {cost}, {change}.',
    source: 'Source: arXiv 2508.21433 and its published table of runs.',
  },
  histogram: {
    label:
      'Later uses by distance in turns: {uses, number} in all, {share} within {turns, plural, one {# turn} other {# turns}}, {lost, number} lost',
    sentence:
      '{share} of later uses come within {turns, plural, one {# turn} other {# turns}}; the farthest after {farthest, number}.',
  },
  arcs: {
    legend: '{count, number} used again',
    legendLost: '{count, number} used again after masking',
    step: '{label}: go to the next',
  },
  places: {
    again:
      '{isLost, select, yes {Used again after masking} other {Used again}} at <a>turn {turn, number}</a>: ',
    read: '{isLost, select, yes {Read at <a>turn {turn, number}</a>, masked by then} other {Read at <a>turn {turn, number}</a>}}: ',
    more: 'and {count, number} more',
    hover: 'used again at turn {turn, number}: {term}',
    hoverLost: 'used again after masking, at turn {turn, number}: {term}',
  },
} as const
