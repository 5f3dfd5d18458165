// Writes one recorded session in every format: npx tsx scripts/record-samples/formats/main.ts
// The outputs in it were recorded; here they are only put into each format's words.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readRecordedSession } from './recorded-session'
import { WRITERS } from './writers'

const folder = fileURLToPath(new URL('../../../public/samples/formats/', import.meta.url))

const session = await readRecordedSession()
for (const { format, file, write } of WRITERS) {
  const path = join(folder, format, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, await write(session))
  console.log(`${format}/${file}`)
}
