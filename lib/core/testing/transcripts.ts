/** Transcript files for tests: the project's samples, and published transcripts when they are available. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createUnpackBudget } from '../files/byte-sink'
import { unpack } from '../files/unpack'
import { recogniseCopiedRequests } from '../formats/network/recognise-copied-requests'
import type { FormatId } from '../formats/read-document'
import { decodeUtf8 } from '../text/decode-utf8'
import { describeProblem } from '../words/english'
import { testSize } from './test-size'

export interface TranscriptFile {
  /** Path from the folder of samples or of published transcripts. */
  readonly name: string
  readonly path: string
  /** The format it must be recognised as. */
  readonly format: FormatId
  readonly isSample: boolean
  /** The archive that contains it, and its unpacked bytes. */
  readonly packed?: { readonly archive: string; readonly bytes: Uint8Array }
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SAMPLES = join(ROOT, 'public', 'samples')

/** Published transcripts are not part of the project; the variable `CORPUS` names their folder. */
export const CORPUS_FOLDER = resolve(ROOT, process.env.CORPUS ?? '../shared/corpus')

export const HAS_CORPUS = existsSync(CORPUS_FOLDER)

/** Formats of files in a folder with another name. */
const FORMAT_OF_FILE: Readonly<Record<string, FormatId>> = {
  // A whole log of Inspect, with a message list inside.
  'openai-chat/inspect-orphan-results.json': 'inspect',
  // A list out of a .traj, whose results name their calls in `tool_call_ids`.
  'openai-chat/swe-agent-last-query.json': 'swe-agent',
  'other/langfuse-trace.json': 'langfuse',
  'other/openhands-events.json': 'openhands',
}

/** Members of published archives that are not transcripts; the tests of their format cover their problems. */
const NO_TRANSCRIPTS = /\/(?:header|summaries|reductions)\.json$|\/_journal\//

function filesOf(root: string, folder: string, names = /\.(?:jsonl?|traj|har)$/): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder))
    .filter((name) => names.test(name) && name !== 'index.json')
    .sort()
    .map((name) => join(folder, name))
}

function foldersOf(root: string): string[] {
  if (!existsSync(root)) return []
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

const filesOfFormats = (names?: RegExp) =>
  foldersOf(join(SAMPLES, 'formats')).flatMap((format) =>
    filesOf(SAMPLES, join('formats', format), names).map((name) =>
      sample(name, format as FormatId),
    ),
  )

/** The recordings that the page offers, and at least one session per format. */
export const SAMPLE_FILES: readonly TranscriptFile[] = [
  ...filesOf(SAMPLES, '').map((name) => sample(name, 'openai-chat')),
  ...filesOfFormats(),
]

/** Samples of streamed answers, with their requests. */
export const STREAM_FILES = filesOfFormats(/\.txt$/)

/** All files of Inspect's published archive, unpacked as on the page. */
export const ARCHIVED_FILES = await unpackPublished('other/inspect-ais-decoder.eval', 'inspect')

export const CORPUS_FILES: readonly TranscriptFile[] = [
  ...foldersOf(CORPUS_FOLDER)
    .filter((folder) => folder !== 'malformed-json')
    .flatMap((folder) => filesOf(CORPUS_FOLDER, folder))
    .map((name) => ({
      name,
      path: join(CORPUS_FOLDER, name),
      format: FORMAT_OF_FILE[name] ?? (dirname(name) as FormatId),
      isSample: false,
    })),
  ...ARCHIVED_FILES.filter(({ name }) => !NO_TRANSCRIPTS.test(name)),
]

async function unpackPublished(archive: string, format: FormatId): Promise<TranscriptFile[]> {
  const path = join(CORPUS_FOLDER, archive)
  if (!existsSync(path)) return []
  const files = await unpack(archive, readFileSync(path), createUnpackBudget())
  return files.map((file) => {
    if ('problem' in file) throw new Error(describeProblem(file.problem))
    const packed = { archive, bytes: file.bytes }
    const own = `${path}${file.name.slice(archive.length)}`
    return { name: file.name, path: own, format, isSample: false, packed }
  })
}

/** Published transcripts in chat completions, by file name. */
export const CHAT_FILES: readonly TranscriptFile[] = CORPUS_FILES.filter(
  ({ name }) => dirname(name) === 'openai-chat',
).map((file) => ({ ...file, name: basename(file.name) }))

function sample(name: string, format: FormatId): TranscriptFile {
  return { name, path: join(SAMPLES, name), format, isSample: true }
}

/** Those of at most so many bytes, or of at most five million when tests are large. */
export function shortFiles(files: readonly TranscriptFile[], bytes: number): TranscriptFile[] {
  const most = testSize(bytes, 5_000_000)
  return files.filter(({ path, packed }) => (packed?.bytes.length ?? statSync(path).size) <= most)
}

export function readTranscript({ path, packed }: TranscriptFile): string {
  return textToRead(decodeUtf8(packed?.bytes ?? readFileSync(path)))
}

/** What the page reads of a text: the messages of streamed answers, and any other text itself. */
export function textToRead(text: string): string {
  return recogniseCopiedRequests(text)?.body ?? text
}
