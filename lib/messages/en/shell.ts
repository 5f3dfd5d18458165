import { draftNotices } from './drafts'

/** The bar, notices, samples, empty and error states. */
export const shell = {
  product: 'Observation Masking',
  playground: 'playground',
  skipToPanes: 'Skip to the conversation',
  bar: 'Document and actions',
  policy: 'Policy',
  undo: 'Undo',
  undoStep: 'Undo {step}',
  redo: 'Redo',
  redoStep: 'Redo {step}',
  steps: {
    enabled: 'switching masking',
    windowTurns: 'the window',
    keepErrors: 'keeping errors',
    keepLastKPerTool: 'keeping the last of each tool',
    placeholderTemplate: 'the placeholder',
    batchTurns: 'the step of the window',
    textParts: 'masking text parts',
    excludeTools: 'the tools never masked',
    neverGrow: 'never growing',
    triggerTokens: 'the trigger',
    errorRules: 'the error rules',
    open: 'opening a transcript',
    sample: 'opening a sample',
    type: 'typing',
    paste: 'pasting a transcript',
    format: 'formatting',
    read_as: 'another format',
    take_body: 'taking the body out of a request',
    clear: 'clearing',
  },
  samples: 'Samples',
  samplesHeading: 'Recorded by running real tools on real files',
  formatSamplesHeading: 'The session of “Results as text parts” as other formats write it',
  sampleFacts:
    '{turns, plural, one {# turn} other {# turns}} · {results, plural, one {# result} other {# results}}',
  open: 'Open…',
  openTip:
    'Open transcripts: JSON or JSON Lines, plain or packed. Or drop them anywhere, or paste.',
  openMore: 'More ways to open',
  openFiles: 'Open files…',
  openFilesNote: 'One or many; .gz, .zip, .zst and .eval are unpacked.',
  openFolder: 'Open a folder…',
  openFolderNote: 'Lists every file in it and adds up what masking saves.',
  paste: 'Paste…',
  pasteTitle: 'Paste a conversation',
  pasteHelp:
    'JSON, JSON Lines, or a request copied as cURL or fetch. It stays in this page, and undo brings back what was open.',
  pasteOpen: 'Open it',
  close: 'Close',
  theme: 'Colours',
  themeSystem: 'As the system',
  themeLight: 'Light',
  themeDark: 'Dark',
  more: 'More',
  notices: 'Notices',
  dismiss: 'Dismiss',
  dropHere: 'Drop transcripts, archives or folders anywhere. They stay in this page.',
  drawerEdge: 'Height of the drawer',
  privacy: 'Nothing you paste leaves this page; drafts stay in this browser',
  footerKeys: 'Click a result to find it everywhere. Drop a file anywhere to open it.',
  opening:
    'Masking puts a short placeholder where an old tool result stood, so that it is not paid for again. It is not redaction.',
  openingSample:
    'This is a sample: paste your own conversation over it on the left, drop a file, or',
  openingSampleNarrow: 'This is a sample: paste your own conversation, or',
  openingOpen: 'open one',
  openingDismiss: 'Hide this note',
  notice: {
    ...draftNotices,
    problem: 'Could not open {name}.',
    read_as_refused: '{name} is read as before.',
    worker_restarted:
      'The background worker stopped ({reason}). Your text is still here; it starts again with the next change.',
    worker_retry: 'Read the text again',
    sample_missing: 'There is no sample called {sample}.',
    link_value:
      '{count, plural, one {One value of the link was not used as written:} other {# values of the link were not used as written:}} {reason}{rest, plural, =0 {} one { So is one more.} other { So are # more.}}',
    link_newer:
      'This link was made by a newer version ({version}). What this one knows of it was used; the rest is kept.',
    link_version:
      'The link’s version is {version}; expected a number. Its settings were read all the same.',
    link_own_text:
      'The link’s settings now apply to your transcript. Its sample {sample} was not opened over it.',
    link_applied: 'The link’s settings now apply to what is open here.',
    link_take_back: 'Go back to the settings before',
    link_conversation:
      'The link asks for conversation {number, number}; there {count, plural, one {is one} other {are #}} here.',
    link_transcript_waits:
      'The link brings a transcript of {chars, number} characters. Yours was left open.',
    link_open_transcript: 'Open the link’s transcript',
    link_transcript_damaged:
      'The transcript in this link is damaged, often because a program cut the link off. Its settings were used.',
    link_transcript_large:
      'The transcript in this link unpacks to more than {limit, number} million bytes and was not opened. Its settings were used.',
    copied: 'Copied the masked text: {chars, number} characters.',
    copied_link: 'Copied a link with the settings only, no transcript: {chars, number} characters.',
    copied_full_link: 'Copied a link with the transcript in it: {chars, number} characters.',
    copied_export: 'Copied: {name}.',
    config_taken: 'The policy of {name} applies now. Your transcript stayed.',
    config_problems:
      'The policy of {name} applies now. {count, plural, one {One thing in it was not used as written:} other {# things in it were not used as written:}} {reason}{rest, plural, =0 {} one { So is one more.} other { So are # more.}}',
    config_failed: 'No policy was taken from {name}. {reason}',
    copy_failed: 'The browser did not allow copying. Select the text and copy it by hand.',
    downloaded: 'Saved {name}.',
    formatted: 'Laid out over lines; only white space changed.',
    opened: 'Opened {name}.',
    body_taken:
      '{count, plural, one {This is the JSON body of the {kind} ({place}).} other {These are the JSON bodies of # {kind}s, one a line (the first: {place}).}} Undo brings back what was pasted.',
    line_ends: 'Typing made the line ends alike; they were mixed before.',
    unpacking: 'Unpacking {name}…',
    run_taken:
      'The follow-up has {count, plural, one {one result} other {# results}} of the run now.',
    run_not_taken: 'None of these calls is in the turn that is followed up.',
    copied_table: 'Copied the table: {rows, plural, one {# file} other {# files}} and the totals.',
  },
} as const
