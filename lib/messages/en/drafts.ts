/** Drafts, recent transcripts and session files. */
export const drafts = {
  recent: 'Recent',
  recentTip: 'Transcripts kept in this browser, and saving what is open as a file',
  title: 'Recent transcripts',
  stays:
    'All of this stays in this browser, on this device. Nothing of it is sent anywhere. The browser may clear it when its disk runs full: save a session file to be sure.',
  openNow: 'Open now',
  keeping: {
    nothing: 'Nothing of yours is open: a sample is kept once you change something.',
    pending: 'Being kept…',
    kept: 'Kept in this browser with its settings and undo history.',
    failed: 'Not kept: the browser refused. It lasts as long as this tab.',
  },
  untitled: 'Untitled',
  sample: 'sample',
  turns: '{turns, plural, one {# turn} other {# turns}}',
  unread: 'not read',
  openElsewhere: 'open in another tab',
  none: 'Nothing else is kept yet.',
  noneHelp: 'What you paste or open is kept here as you work, with its settings and undo history.',
  list: 'Kept transcripts',
  remove: 'Remove {name}',
  removeSure: 'Remove it for good?',
  removeDo: 'Remove',
  removeNot: 'Keep',
  total:
    'In all {count, plural, one {# transcript} other {# transcripts}}, {size}, with the one open now.',
  close: 'Close',
  cancel: 'Cancel',
  forget: 'Forget everything…',
  forgetTitle: 'Forget everything?',
  forgetWhat: 'This removes from this browser, for good:',
  forgetItems: {
    transcripts: 'every transcript that is open or kept, with its settings, undo history and notes',
    prices: 'your own prices and models',
    page: 'colours, open panels, hidden notes',
  },
  forgetTabs: 'All tabs with this page begin anew. Files you saved stay where they are.',
  forgetDo: 'Forget everything',
  save: 'Save session…',
  saveTitle: 'Save the session as a file',
  saveHelp:
    'One file with the transcript as it is, the settings, the model, your own prices and notes. Open it here like any transcript.',
  saveHolds: 'It holds the whole transcript ({size}): give it only to those who may read it.',
  saveNotHeld: 'The undo history is not in it.',
  notes: 'Notes',
  notesHint: 'Why these settings, what to look at',
  saveDo: 'Save {name}',
  notice: {
    openIt: 'Open it',
    saveSession: 'Save session…',
    showRecent: 'Show what is kept',
    ownPrices: 'Use my prices again',
  },
} as const

/** What is said of drafts and session files in a corner of the page. */
export const draftNotices = {
  draft_resumed: '{name} is open again, as you left it.',
  draft_copied:
    '{name} is open in another tab too. This tab goes on with a copy of its own; neither overwrites the other.',
  draft_lost: 'The transcript of this tab is not kept in this browser any more.',
  draft_incomplete:
    '{steps, plural, one {One undo step is} other {# undo steps are}} not kept any more. Text and settings are.',
  draft_offered: 'Your own transcript {name} is kept as you left it.',
  draft_quota:
    'The browser has no room to keep this transcript ({megabytes, number} MB): it lasts as long as this tab. Save it as a session file, or remove others under Recent.',
  draft_refused:
    'This browser does not let the page keep drafts ({reason}). What you paste lasts as long as this tab; save a session file to keep it.',
  draft_failed:
    'The draft could not be kept ({reason}). It lasts as long as this tab; it is tried again with your next change.',
  draft_kept_again: '{name} is kept in this browser again.',
  draft_history_bounded:
    'Undo holds more text than is kept after closing: its {steps, plural, one {oldest step} other {# oldest steps}} will last as long as this tab.',
  draft_not_replaced:
    'What is open could not be kept, so nothing was opened in its place. Save it as a session file first.',
  draft_removed: 'Removed {name} from this browser.',
  thread_kept: 'Saved as {name}, among the recent transcripts.',
  thread_kept_again: '{name}, among the recent transcripts, was brought up to date.',
  thread_failed: 'The conversation could not be saved ({reason}).',
  drafts_unread: 'What is kept in this browser could not be read ({reason}).',
  forgotten: 'Everything was forgotten: nothing of yours is kept in this browser.',
  forget_failed: 'The browser did not let it be forgotten ({reason}). Everything is still there.',
  session_opened: 'Opened the session {name}: transcript, settings, model, prices and notes.',
  session_saved: 'Saved {name}.',
  session_newer:
    'This session was saved by a newer version ({version}). What this one knows of it was used; the rest is kept.',
  session_version:
    'The session’s version is {version}; expected a whole number. The session was read all the same.',
  session_value:
    '{count, plural, one {One value of the session was not used as written:} other {# values of the session were not used as written:}} {reason}{rest, plural, =0 {} one { So is one more.} other { So are # more.}}',
  session_prices:
    'The session’s prices took the place of your own for {count, plural, one {{models}} other {# models: {models}}}.',
} as const
