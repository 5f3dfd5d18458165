import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { FORMATS } from '@/lib/core/formats/read-document'
import { SAMPLE_FILES, STREAM_FILES } from '@/lib/core/testing/transcripts'

const FOLDER = fileURLToPath(new URL('../public/samples/', import.meta.url))
const read = (file: string) => readFileSync(join(FOLDER, file))

test('every sample is as recorded, and none is unlisted', async () => {
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(FOLDER, join(entry.parentPath, entry.name)))
    .sort()
  const lines = files.map((file) => {
    const bytes = read(file)
    return `${createHash('sha256').update(bytes).digest('hex')} ${bytes.length} ${file}\n`
  })
  await expect(lines.join('')).toMatchFileSnapshot('samples.sha256')
})

test('the menu lists every sample, with its size and format', () => {
  const samples: { file: string; bytes: number }[] = JSON.parse(String(read('index.json')))
  const writings: { file: string; bytes: number; format: string }[] = JSON.parse(
    String(read('formats/index.json')),
  )
  const listed = [...samples, ...writings]
  expect(new Set(listed.map(({ file }) => file))).toEqual(
    new Set(
      [...SAMPLE_FILES, ...STREAM_FILES].filter(({ isSample }) => isSample).map(({ name }) => name),
    ),
  )
  for (const { file, bytes } of listed) expect(bytes).toBe(read(file).length)
  for (const { file, format } of writings)
    expect(format).toBe(FORMATS.find(({ id }) => id === file.split('/')[1])?.label)
})
