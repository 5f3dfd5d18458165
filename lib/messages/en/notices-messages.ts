import { draftNotices } from './drafts-messages'

/** The notices in a corner of the page. */
export const notices = {
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
  link_version: 'The link has version {version}; expected a number. Its settings were read anyway.',
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
  copied:
    'Copied the masked text: {chars, number} characters{conversations, plural, one {} other {, {results, plural, one {# result} other {# results}} masked in its {conversations, number} conversations}}.',
  copied_link: 'Copied a link with the settings, no transcript: {chars, number} characters.',
  copied_full_link: 'Copied a link with the transcript in it: {chars, number} characters.',
  copied_figures:
    'Copied a link with the figures, {hasNames, select, yes {with file and tool names} other {nothing of the transcript}}: {chars, number} characters.',
  copied_long_figures:
    'Copied a link with the figures, {hasNames, select, yes {with file and tool names} other {nothing of the transcript}}: {chars, number} characters. Mail and chat programs may cut it; a saved report is a file.',
  figures_long:
    'A link with the figures of so many requests would have {chars, number} characters, which some browsers cut. Save the report instead.',
  show_report: 'Go to “Save report”',
  figures_wait: 'The figures are still computed; share them in a moment.',
  copied_export: 'Copied: {name}.',
  config_applied: 'Applied the policy of {name}. Your transcript is unchanged.',
  config_problems:
    'Applied the policy of {name}. {count, plural, one {One value in it was ignored or adjusted:} other {# values in it were ignored or adjusted:}} {reason}{rest, plural, =0 {} other { (and # more)}}',
  config_failed: 'No policy was read from {name}. {reason}',
  copy_failed: 'The browser did not allow copying. Select the text and copy it by hand.',
  downloaded: 'Saved {name}.',
  downloaded_output:
    'Saved {name}{conversations, plural, one {} other {: {results, plural, one {# result} other {# results}} masked in its {conversations, number} conversations}}.',
  formatted: 'Formatted with line breaks; only white space changed.',
  opened: 'Opened {name}.',
  body_extracted:
    '{count, plural, one {This is the JSON body of the {kind} ({place}).} other {These are the JSON bodies of # {kind}s, one per line (the first: {place}).}} Undo restores the original text.',
  stream_read:
    'These are the messages of {count, plural, one {a streamed answer ({place}), after its request} other {# streamed answers ({place}), after their requests}}.{wrong, plural, =0 {} other { {reason}}}{rest, plural, =0 {} other { (and # more)}} Undo restores the original text.',
  stream_read_alone:
    'These are the messages of {count, plural, one {a streamed answer} other {# streamed answers}} ({place}). There is nothing to mask: tool results are in the requests, which are not here.{wrong, plural, =0 {} other { {reason}}}{rest, plural, =0 {} other { (and # more)}} Undo restores the original text.',
  line_ends: 'Typing made the line endings uniform; they were mixed before.',
  pasted_document: 'What you pasted is a whole document.',
  pasted_replace: 'Replace everything',
  new_version: 'A new version is ready. Your transcript stays open.',
  new_version_load: 'Load it',
  code_missing:
    'A part of the page could not be loaded. Connect to the network, reload the page and try again.',
  unpacking: 'Unpacking {name}…',
  results_applied:
    'The next request now has {count, plural, one {one result} other {# results}} from the simulator.',
  results_not_applied: 'None of these calls is in the turn that the next request answers.',
  copied_table: 'Copied the table: {rows, plural, one {# file} other {# files}} and the totals.',
} as const
