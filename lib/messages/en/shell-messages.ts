import { draftNotices } from './drafts-messages'

/** The bar, notices, samples, empty and error states. */
export const shell = {
  product: 'Observation Masking',
  notFound: 'There is no page at this address.',
  toPlayground: 'Open the playground',
  playground: 'playground',
  help: 'Help',
  undo: 'Undo',
  undoStep: 'Undo {step}',
  redo: 'Redo',
  redoStep: 'Redo {step}',
  steps: {
    enabled: 'turning masking on or off',
    windowTurns: 'the window',
    keepErrors: 'keeping errors',
    keepLastKPerTool: 'the last N per tool',
    placeholderTemplate: 'the placeholder',
    batchTurns: 'the step size',
    textParts: 'masking text parts',
    excludeTools: 'the excluded tools',
    neverGrow: 'skipping longer placeholders',
    triggerTokens: 'the minimum request size',
    errorRules: 'the error rules',
    errorPatterns: 'the texts of errors',
    linkByOrder: 'linking by order',
    open: 'opening a transcript',
    sample: 'opening a sample',
    type: 'typing',
    paste: 'pasting a transcript',
    format: 'formatting',
    read_as: 'choosing the format',
    take_body: 'extracting the messages',
    repair: 'repairing the JSON',
    clear: 'clearing',
  },
  samples: 'Samples',
  samplesHeading: 'Recorded by running real tools on real files',
  formatSamplesHeading: 'The session “Results as text parts” in other formats',
  sampleFacts:
    '{turns, plural, one {# turn} other {# turns}} · {results, plural, one {# result} other {# results}}',
  open: 'Open…',
  openTip:
    'Open transcripts: JSON or JSON Lines, also compressed. Or drop them anywhere, or paste.',
  openMore: 'More ways to open',
  openFiles: 'Open files…',
  openFilesNote: 'One or more; .gz, .zip, .zst and .eval are unpacked.',
  openFolder: 'Open a folder…',
  openFolderNote: 'Lists all its files and sums what masking saves.',
  paste: 'Paste…',
  pasteTitle: 'Paste a conversation',
  pasteHelp:
    'JSON, JSON Lines, or a request copied as cURL or fetch. It stays in this page, and undo restores what was open.',
  pasteOpen: 'Open',
  close: 'Close',
  theme: 'Colours',
  themeSystem: 'System',
  themeLight: 'Light',
  themeDark: 'Dark',
  more: 'More',
  notices: 'Notices',
  dismiss: 'Dismiss',
  dropHere: 'Drop transcripts, archives or folders anywhere. They stay in this page.',
  drawerEdge: 'Height of the two texts',
  privacy: 'The page sends nothing you paste; drafts are stored in this browser',
  footerKeys: 'Click a result to find it in every view. Ctrl+K lists the commands.',
  opening:
    'Masking replaces an old tool result with a short placeholder, so that you do not pay for it again. It is not redaction.',
  openingSample:
    'This is a sample: paste your own conversation over it on the left, drop a file, or',
  openingSampleNarrow: 'This is a sample: paste yours, or',
  openingOpen: 'open one',
  openingDismiss: 'Hide this note',
  notice: {
    ...draftNotices,
    problem: 'Could not open {name}.',
    read_as_refused: 'The format of {name} was not changed.',
    worker_failed:
      'The background worker failed ({reason}). Your text is not lost; the worker starts again with your next change.',
    worker_replaced:
      'The background worker stopped: {reason}. Another one was started and repeats what it was doing. Your text is not lost.',
    worker_retry: 'Read the text again',
    sample_missing: 'There is no sample called {sample}.',
    link_value:
      '{count, plural, one {One value in the link was ignored or adjusted:} other {# values in the link were ignored or adjusted:}} {reason}{rest, plural, =0 {} other { (and # more)}}',
    link_newer:
      'This link was made by a newer version ({version}). The values this version knows were applied; the others are preserved.',
    link_version:
      'The link has version {version}; expected a number. Its settings were read anyway.',
    link_own_text:
      'The link’s settings now apply to your transcript. The link’s sample {sample} was not opened.',
    link_applied: 'The link’s settings now apply to the open transcript.',
    link_take_back: 'Restore the previous settings',
    link_conversation:
      'The link asks for conversation {number, number}, but the document has {count, plural, one {one} other {#}}.',
    link_transcript_waits:
      'The link contains a transcript of {chars, number} characters. Your transcript stays open.',
    link_open_transcript: 'Open the link’s transcript',
    link_transcript_damaged:
      'The transcript in this link is damaged, often because a program cut the link off. The settings were applied.',
    link_transcript_large:
      'The transcript in this link unpacks to more than {limit, number} million bytes and was not opened. The settings were applied.',
    copied: 'Copied the masked text: {chars, number} characters.',
    copied_link: 'Copied a link with the settings only, no transcript: {chars, number} characters.',
    copied_full_link: 'Copied a link with the transcript in it: {chars, number} characters.',
    copied_figures:
      'Copied a link with the figures, {hasNames, select, yes {with file and tool names} other {nothing of the transcript}}: {chars, number} characters.',
    figures_long:
      'A link with the figures of so many requests would have {chars, number} characters, which some browsers cut. Save the report instead.',
    figures_wait: 'The figures are still computed; share them in a moment.',
    copied_export: 'Copied: {name}.',
    config_applied: 'Applied the policy of {name}. Your transcript is unchanged.',
    config_problems:
      'Applied the policy of {name}. {count, plural, one {One value in it was ignored or adjusted:} other {# values in it were ignored or adjusted:}} {reason}{rest, plural, =0 {} other { (and # more)}}',
    config_failed: 'No policy was read from {name}. {reason}',
    copy_failed: 'The browser did not allow copying. Select the text and copy it by hand.',
    downloaded: 'Saved {name}.',
    formatted: 'Formatted with line breaks; only white space changed.',
    opened: 'Opened {name}.',
    body_extracted:
      '{count, plural, one {This is the JSON body of the {kind} ({place}).} other {These are the JSON bodies of # {kind}s, one per line (the first: {place}).}} Undo restores what was pasted.',
    stream_read:
      'These are the messages of {count, plural, one {a streamed answer} other {# streamed answers}} ({place}), after their requests.{wrong, plural, =0 {} other { {reason}}}{rest, plural, =0 {} other { (and # more)}} Undo restores what was pasted.',
    stream_read_alone:
      'These are the messages of {count, plural, one {a streamed answer} other {# streamed answers}} ({place}). There is nothing to mask: tool results are in the requests, which are not here.{wrong, plural, =0 {} other { {reason}}}{rest, plural, =0 {} other { (and # more)}} Undo restores what was pasted.',
    line_ends: 'Typing made the line endings uniform; they were mixed before.',
    pasted_document: 'What you pasted is a whole document.',
    pasted_replace: 'Replace everything',
    unpacking: 'Unpacking {name}…',
    results_applied:
      'The next request now has {count, plural, one {one result} other {# results}} from the simulator.',
    results_not_applied: 'None of these calls is in the turn that the next request answers.',
    copied_table: 'Copied the table: {rows, plural, one {# file} other {# files}} and the totals.',
  },
  numbers: {
    not_a_number: '“{text}” is not a number. The value is still {kept}.',
    not_whole: '“{text}” is not a whole number. The value is still {kept}.',
    out_of_range: 'Expected {minimum} to {maximum}. The value is still {kept}.',
    ambiguous:
      '“{text}” can mean two numbers: its mark separates thousands in one language and decimals in another. If you mean {one}, leave the mark out. The value is still {kept}.',
  },
} as const
