import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { FORMATS } from '@/lib/core/formats/read-document'
import { SAMPLE_FILES, STREAM_FILES } from '@/lib/core/testing/transcripts'

const FOLDER = fileURLToPath(new URL('../public/samples/', import.meta.url))
const read = (file: string) => readFileSync(join(FOLDER, file))
const rowsOf = (file: string): Row[] => JSON.parse(String(read(file)))

interface Row {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

const rows = [...rowsOf('index.json'), ...rowsOf('formats/index.json')]

test('every sample is listed', () => {
  const samples = [...SAMPLE_FILES, ...STREAM_FILES].filter(({ isSample }) => isSample)
  expect(rows.map(({ file }) => file).sort()).toEqual(samples.map(({ name }) => name).sort())
})

test.each(rows)('$file is as recorded, and listed with its size and format', (row) => {
  const bytes = read(row.file)
  const [, folder] = row.file.split('/')
  const format = FORMATS.find(({ id }) => id === folder)?.label
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(row).toEqual({ ...row, bytes: bytes.length, sha256, ...(format && { format }) })
})
