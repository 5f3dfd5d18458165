// Records the samples the page offers: npx tsx scripts/record-samples/main.ts [id...]
// Without ids all of them. Every output in a sample is what a tool gave back during this run.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkNoMachinePath } from './check-machine-paths'
import { countDocument } from './count-document'
import { samples } from './plans/index'
import type { IndexEntry, Sample } from './sample'

const folder = fileURLToPath(new URL('../../public/samples/', import.meta.url))

async function recordSample(sample: Sample): Promise<IndexEntry> {
  const text = await sample.record()
  checkNoMachinePath(sample.file, text)
  await writeFile(join(folder, sample.file), text)
  const { id, file, title, shows } = sample
  return {
    id,
    file,
    title,
    shows,
    ...countDocument(text),
    bytes: Buffer.byteLength(text),
    recorded: new Date().toISOString().slice(0, 10),
  }
}

async function readIndex(): Promise<IndexEntry[]> {
  try {
    return JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((id) => !samples.some((sample) => sample.id === id))
if (unknown.length > 0) throw new Error(`No sample is called ${unknown.join(', ')}`)

await mkdir(folder, { recursive: true })
const entries = new Map((await readIndex()).map((entry) => [entry.id, entry]))
for (const sample of samples) {
  if (wanted.length > 0 && !wanted.includes(sample.id)) continue
  const entry = await recordSample(sample)
  entries.set(sample.id, entry)
  console.log(`${entry.id}: ${entry.turns} turns, ${entry.results} results, ${entry.bytes} bytes`)
}
const ordered = samples.flatMap((sample) => entries.get(sample.id) ?? [])
await writeFile(join(folder, 'index.json'), `${JSON.stringify(ordered, null, 2)}\n`)
