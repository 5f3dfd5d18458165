// Writes one recorded session in every format to `public/samples/formats`, with the index the page reads.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FormatIndexEntry, formatIndexEntry, writeFormatIndex } from './format-index'
import { readRecordedSession } from './recorded-session'
import { WRITERS } from './writers'

const folder = fileURLToPath(new URL('../../../public/samples/formats/', import.meta.url))

const session = await readRecordedSession()
const entries: FormatIndexEntry[] = []
for (const writer of WRITERS) {
  const { format, file, write } = writer
  const path = join(folder, format, file)
  const text = await write(session)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  entries.push(formatIndexEntry(writer, text))
  console.log(`${format}/${file}`)
}
await writeFile(join(folder, 'index.json'), writeFormatIndex(entries))
