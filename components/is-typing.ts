const TEXT_FIELDS =
  'input:not([type=range], [type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable], .monaco-editor, [role="textbox"]'

/** True if a key press or paste is for a field or an editor. Sliders and switches take no text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TEXT_FIELDS) !== null
}
