/** Text as data: what a stranger's file name or tool name may not become. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For contents and quoted attributes of HTML and SVG; control characters, which XML forbids, become U+FFFD. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (char) => ENTITIES[char] as string)
    .replace(CONTROLS, '\ufffd')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g

/** For a line or a table cell of Markdown: no markup, no line break. */
export function escapeMarkdown(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|#~&]/g, '\\$&')
    .replace(/^([-+=]|\d+[.)])/, '\\$1')
}

/** A cell of CSV (RFC 4180); a text that a spreadsheet would take for a formula gets an apostrophe. */
export function csvCell(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Lines of CSV, each ended as the RFC says. */
export function csvText(rows: readonly (readonly (string | number | undefined)[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}
