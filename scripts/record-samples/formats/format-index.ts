import { readDocument } from '../../../lib/core/formats/read-document'
import type { FormatWriter } from './format-writer'

/** A line of `public/samples/formats/index.json`. */
export interface FormatIndexEntry {
  /** As a link names it: `claude-code.session`. */
  readonly id: string
  /** Its path below `public/samples/`. */
  readonly file: string
  /** What it is recognised as, in words. */
  readonly format: string
  readonly bytes: number
}

/** What the page lists of one writing of the recorded session. */
export function formatIndexEntry(
  { format, file }: Pick<FormatWriter, 'format' | 'file'>,
  text: string,
): FormatIndexEntry {
  return {
    id: `${format}.${file.replace(/\..*$/, '')}`,
    file: `formats/${format}/${file}`,
    format: readDocument(text).format.label,
    bytes: Buffer.byteLength(text),
  }
}

/** The index as it stands in its file, in the order of the formats' names. */
export function writeFormatIndex(entries: readonly FormatIndexEntry[]): string {
  const ordered = entries.toSorted((a, b) => a.format.localeCompare(b.format, 'en'))
  return `${JSON.stringify(ordered, null, 2)}\n`
}
