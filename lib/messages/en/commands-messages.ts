/** The list of commands and keys. */
export const commands = {
  title: 'Commands and keys',
  search: 'Search the buttons of this page',
  empty: 'No button has this name.',
  close: 'Close',
  keys: {
    commands: 'Commands',
    list: 'This list',
    undo: 'Undo',
    redo: 'Redo',
    paste: 'Open what was copied',
    save: 'Save the session',
    find: 'Find in the text (in a pane)',
    conversations: 'Previous, next conversation',
    messages: 'Next, previous message (in Messages)',
    results: 'Next, previous result (in the timeline)',
    changes: 'Next, previous change (in Diff)',
    why: 'Why a result is masked or kept (in a pane)',
    maximise: 'Maximise a pane, or restore it',
    leaveEditor: 'Tab leaves the editor, or indents',
    close: 'Close, or clear the choice',
  },
}
