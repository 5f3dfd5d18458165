const TEXT_FIELDS =
  'input:not([type=range], [type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable], .monaco-editor, [role="textbox"]'

/** Whether what is pressed or pasted is meant for a field or an editor; a slider or a switch takes no text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TEXT_FIELDS) !== null
}
