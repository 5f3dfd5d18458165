/** The line above the figures: what the current settings cost and risk, and what is recommended instead. */
export const verdict = {
  label: 'Verdict',
  pending: 'Comparing all windows …',
  unreadable: 'No figures: this text cannot be read as a conversation.',
  empty: 'No figures yet: open or paste a conversation.',
  effect:
    '{kind, select, saves {saves {share}} costs {costs {share} more} other {costs about the same}}',
  alike: '{kind, select, saves {{share}} costs {{share} more} other {about the same}}',
  now: '{kind, select, saves {<good>As set, this saves {share}</good>} costs {<bad>As set, this costs {share} more</bad>} same {<b>As set, this costs about the same</b>} nothing {<b>As set, this masks nothing here, so the cost is the same</b>} unknown {<b>A price is unknown, so no cost is compared</b>} other {<b>Masking is off</b>}}{uses, plural, =0 {.} other {{lost, plural, =0 {{kind, select, off {.} nothing {.} other {; every later use of a result could still be read.}}} other {{worst, select, none {; {results, plural, one {<a># result is used again after masking</a>} other {<a># results are used again after masking</a>}}.} other {, or {worst} if the {results, plural, one {<a># result used again after masking</a> is} other {<a># results used again after masking</a> are}} fetched again.}}}}}}',
  use: '{isSameWindow, select, yes {Advance {batch, plural, =1 {every turn} other {every # turns}}} other {Window {window, number}, {batch, plural, =1 {advanced every turn} other {advanced every # turns}}}}: <good>{effect}</good>{lost, plural, =0 {} other {, at worst {worst}}}{isSafer, select, yes { (less saved, less at risk)} other {}}.',
  tooShort: '<bad>Windows under {smallest, number} turns are not recommended.</bad>',
  contrast:
    'Advanced every turn, this window {kind, select, costs {<bad>{effect}</bad> than not masking} other {<b>{effect}</b>}}.',
  compare: 'Compare',
  endCompare: 'End comparison',
  best: '{smallest, plural, =1 {No other setting is recommended.} other {No other setting with a window of # turns or more is recommended.}}',
  doNotMask:
    'No setting {smallest, plural, =1 {} other {with a window of # turns or more }}{rule, select, keep_uses {that keeps {kept} of the later uses } other {}}is sure to save money.',
  apply: 'Apply',
  turnOff: 'Turn masking off',
  session: 'Whole session.',
  why: 'Why?',
  outcomes: 'Will it work as well?',
  rejects: '<bad>{model} rejects it</bad>: <a>changes before signed thinking</a>.',
  othersReject:
    'Not for Claude Fable 5.1 and later, Opus 5.5, Sonnet 5.5 and Haiku 5.5: they reject <a>changes before signed thinking</a>.',
  reusedIds:
    '{count, plural, one {<a># call reuses an id</a>: the earlier results of that id belong} other {<a># calls reuse ids</a>: the earlier results of those ids belong}} to the later call.',
  compareAll: 'Compare all {count, number} conversations',
  details: {
    title: 'How this is recommended',
    isSet: 'It is set.',
    asGood: 'At worst, the current settings cost about as little, so no change is recommended.',
    worst: 'At worst, every result used again after masking is fetched again.',
    rule: 'Recommend',
    rules: { cheapest: 'the cheapest at worst', keep_uses: 'to keep later uses' },
    kept: 'Later uses kept, at least',
    percent: '%',
    smallest: 'Smallest window',
    smallestNote: 'Models work worse without their last results.',
    turns: 'turns',
    unseen:
      'The file states no usage. If each request also sent {tokens} tokens that it does not show (system prompt, tools), masking would change the cost by {change}: see <a>Cost</a>.',
    breakEven:
      'With the current settings, masking breaks even if {count, number} of the {results, plural, one {# result that is} other {# results that are}} used again {count, plural, one {is} other {are}} fetched again.',
    repeated:
      'With the current settings, {count, plural, one {<a># call was issued again</a>} other {<a># calls were issued again</a>}} with the same arguments when the earlier result was masked.',
  },
} as const
