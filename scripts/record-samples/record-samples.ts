// Records the samples in `public/samples`, all or those with the given ids. Every tool call runs for real.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { samples } from './plans/index'
import type { CountedMessage, IndexEntry, Sample } from './sample'

const MACHINE_PATHS = ['/work/', '/tmp/', '/root', '/home/', '/Users/']

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

/** Throws when a recording names a path of the machine it was made on. */
function checkNoMachinePath(file: string, text: string): void {
  for (const path of MACHINE_PATHS) {
    const position = text.indexOf(path)
    if (position === -1) continue
    const around = text.slice(Math.max(0, position - 80), position + 80)
    throw new Error(`${file} names ${path} at ${position}: ...${around}...`)
  }
}

/** Counts the turns, results and messages of a sample's text. */
function countDocument(text: string): { turns: number; results: number; messages: number } {
  const messages = messagesOf(text)
  return {
    turns: messages.filter(isTurn).length,
    results: messages.filter((message) => message.role === 'tool').length,
    messages: messages.length,
  }
}

/** All messages of a body, an array, lines of messages or lines of bodies, in order. */
function messagesOf(text: string): CountedMessage[] {
  try {
    return unwrap(JSON.parse(text))
  } catch {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
    return lines.flatMap((line) => unwrap(JSON.parse(line)))
  }
}

function unwrap(value: unknown): CountedMessage[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null && 'messages' in value)
    return unwrap(value.messages)
  return [value as CountedMessage]
}

function isTurn(message: CountedMessage): boolean {
  const calls: unknown = message.tool_calls
  if (message.role !== 'assistant' || !Array.isArray(calls)) return false
  return calls.some((call) => typeof call?.id === 'string' && call.id !== '')
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
