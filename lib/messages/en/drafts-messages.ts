/** Drafts, recent transcripts and session files. */
export const drafts = {
  title: 'Recent transcripts',
  stays:
    'Everything here is stored in this browser, on this device. Nothing is sent anywhere. The browser may delete it when the disk is full; save a session file as a backup.',
  openNow: 'Currently open',
  saving: {
    nothing: 'A sample is stored once you change something.',
    pending: 'Saving…',
    saved: 'Stored in this browser with its settings and undo history.',
    failed: 'Not stored: the browser refused. Your work lasts until this tab is closed.',
  },
  untitled: 'Untitled',
  sample: 'sample',
  turns: '{turns, plural, one {# turn} other {# turns}}',
  unread: 'unreadable',
  openElsewhere: 'open in another tab',
  none: 'Nothing else is stored yet.',
  noneHelp:
    'Transcripts you paste or open are stored here as you work, with settings and undo history.',
  list: 'Stored transcripts',
  remove: 'Remove {name}',
  removeSure: 'Remove permanently?',
  removeDo: 'Remove',
  removeNot: 'Cancel',
  total:
    '{count, plural, one {# transcript} other {# transcripts}} in total, {size}, including the open one.',
  conversations: {
    title: 'Saved runs and requests',
    automatic: 'Save runs of the simulator and built requests as they are made',
    most: 'Keep the newest',
    mostHelp: 'Older ones are removed when a new one is saved, unless you changed them.',
  },
  close: 'Close',
  cancel: 'Cancel',
  forget: 'Delete all data…',
  forgetTitle: 'Delete all data?',
  forgetWhat: 'This permanently deletes from this browser:',
  forgetItems: {
    transcripts:
      'every stored transcript, including the open one, with its settings, undo history and notes',
    prices: 'your prices and models',
    page: 'preferences: language, colours, open panels, hidden notes',
  },
  forgetTabs: 'All tabs with this page are reset. Files you saved to disk are not affected.',
  forgetDo: 'Delete all data',
  save: 'Save session…',
  saveTitle: 'Save the session as a file',
  saveHelp:
    'One file with the unchanged transcript, the settings, the model, your prices and your notes. Open it here like any transcript.',
  saveHolds:
    'The file contains the full transcript ({size}). Share it only with people who may read it.',
  saveNotHeld: 'The undo history is not included.',
  notes: 'Notes',
  notesHint: 'Why these settings, what to look at',
  saveDo: 'Save {name}',
  notice: {
    openIt: 'Open',
    saveSession: 'Save session…',
    showRecent: 'Show recent transcripts',
    restorePrices: 'Restore my prices',
  },
} as const

/** Notices about drafts and session files. */
export const draftNotices = {
  draft_resumed: 'Reopened {name} as you left it.',
  draft_copied:
    '{name} is also open in another tab. This tab continues with a copy; neither tab overwrites the other.',
  draft_lost: 'The transcript of this tab is no longer stored in this browser.',
  draft_incomplete:
    '{steps, plural, one {One undo step is} other {# undo steps are}} no longer stored. Text and settings are complete.',
  draft_offered: 'Your transcript {name} is stored as you left it.',
  draft_quota:
    'The browser has no room to store this transcript ({megabytes, number} MB). The transcript lasts until this tab is closed. Save it as a session file, or remove others under Recent.',
  draft_refused:
    'This browser does not let the page store drafts ({reason}). Your work lasts until this tab is closed; save a session file to preserve it.',
  draft_failed:
    'The draft could not be stored ({reason}). Your work lasts until this tab is closed. The page tries again with your next change.',
  draft_saved_again: '{name} is stored in this browser again.',
  draft_history_bounded:
    'The undo history is too large to store: its {steps, plural, one {oldest step is} other {# oldest steps are}} lost when this tab is closed.',
  draft_not_replaced:
    'The open transcript could not be stored, so nothing was opened in its place. Save it as a session file first.',
  draft_removed: 'Removed {name} from this browser.',
  conversation_saved: 'Saved as {name} under Recent.',
  conversation_saved_again: 'Updated {name} under Recent.',
  conversation_not_saved: 'The conversation could not be saved ({reason}).',
  drafts_unread: 'The drafts in this browser could not be read ({reason}).',
  forgotten: 'All data was deleted. Nothing of yours is stored in this browser.',
  forget_failed: 'The browser did not delete the data ({reason}). Everything is still stored.',
  session_opened: 'Opened the session {name}: transcript, settings, model, prices and notes.',
  session_saved: 'Saved {name}.',
  session_secrets:
    'A second scan still finds possible secrets after redaction, so no file was saved.',
  session_newer:
    'This session was saved by a newer version ({version}). The values this version knows were applied; the others are preserved.',
  session_version:
    'The session has version {version}; expected a whole number. It was read anyway.',
  session_value:
    '{count, plural, one {One value in the session was ignored or adjusted:} other {# values in the session were ignored or adjusted:}} {reason}{rest, plural, =0 {} other { (and # more)}}',
  session_prices:
    'Prices from the session replaced yours for {count, plural, one {{models}} other {# models: {models}}}.',
} as const
