import { readDocument } from '../../../lib/core/formats/read-document'
import { textToRead } from '../../../lib/core/testing/transcripts'
import type { FormatWriter } from './format-writer'

/** An entry of `public/samples/formats/index.json`. */
export interface FormatIndexEntry {
  /** Its name in a settings link, such as `claude-code.session`. */
  readonly id: string
  /** Its path below `public/samples/`. */
  readonly file: string
  /** Label of the format it is recognised as. */
  readonly format: string
  readonly bytes: number
}

/** The index entry for the recorded session in one format. */
export function formatIndexEntry(
  { format, file }: Pick<FormatWriter, 'format' | 'file'>,
  text: string,
): FormatIndexEntry {
  return {
    id: `${format}.${file.replace(/\..*$/, '')}`,
    file: `formats/${format}/${file}`,
    format: readDocument(textToRead(text)).format.label,
    bytes: Buffer.byteLength(text),
  }
}

/** The text of the index file, sorted by format name. */
export function writeFormatIndex(entries: readonly FormatIndexEntry[]): string {
  const ordered = entries.toSorted((a, b) => a.format.localeCompare(b.format, 'en'))
  return `${JSON.stringify(ordered, null, 2)}\n`
}
