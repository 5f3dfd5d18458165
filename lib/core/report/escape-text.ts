/** Escapes untrusted text, such as file and tool names, for HTML, SVG, Markdown and CSV. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for contents and quoted attributes of HTML and SVG. Control characters become U+FFFD, since XML forbids them. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (char) => ENTITIES[char] as string)
    .replace(CONTROLS, '\ufffd')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g

/** The text in one line: a run of white space becomes one space, but the no-break spaces of numbers stay. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(/[^\S\u00a0\u202f]+/g, ' ')
}

/** Escapes text for a line or table cell of Markdown, without markup or line breaks. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]<>|#~&]/g, '\\$&')
    .replace(/^([-+=]|\d+[.)])/, '\\$1')
}

type Cell = string | number | undefined

/**
 * Writes a cell of CSV (RFC 4180). Text that a spreadsheet would read as a formula gets an apostrophe, also after a
 * semicolon or a line end, at which a spreadsheet of some languages splits it.
 */
export function csvCell(value: Cell): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = value
    .replace(/(^|[;\r\n])(?=[=+\-@\t＝＋－＠])/g, "$1'")
    .replace(/(^|;)(?=[\r\n])/g, "$1'")
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes lines of CSV, each with the line ending of the RFC. */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

/** Writes a line for each row, below the names of the columns. */
export function csvTable<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): string {
  const cells = Object.values(columns)
  return csvText([Object.keys(columns), ...rows.map((row) => cells.map((cell) => cell(row)))])
}
