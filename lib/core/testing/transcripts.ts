/** Transcript files to test on: the project's own samples, and published ones where they are at hand. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decodeUtf8 } from '../text/decode-utf8'

export interface TranscriptFile {
  readonly name: string
  readonly path: string
  readonly isSample: boolean
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Published transcripts are no part of the project; `CORPUS` names their folder. */
export const CORPUS_FOLDER = join(
  resolve(ROOT, process.env.CORPUS ?? '../shared/corpus'),
  'openai-chat',
)

export const HAS_CORPUS = existsSync(CORPUS_FOLDER)

function filesOf(folder: string, isSample: boolean): TranscriptFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /\.jsonl?$/.test(name) && name !== 'index.json')
    .sort()
    .map((name) => ({ name, path: join(folder, name), isSample }))
}

export const SAMPLE_FILES = filesOf(join(ROOT, 'public', 'samples'), true)

export const CORPUS_FILES = filesOf(CORPUS_FOLDER, false)

export function readTranscript({ path }: TranscriptFile): string {
  return decodeUtf8(readFileSync(path))
}
