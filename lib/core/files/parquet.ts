/**
 * Rows of a Parquet file as files of JSON: https://parquet.apache.org/docs/file-format/
 * Read are the description at the file's end, then only the group of rows that is asked for, and in it only the columns of
 * a conversation. Where pages have an index, a large group is read in parts. Snappy is part of hyparquet; gzip and
 * Zstandard are those of the archives.
 */

import { strToU8 } from 'fflate'
import type { AsyncBuffer, ColumnChunk } from 'hyparquet'
import {
  parquetMetadata,
  parquetReadObjects,
  parquetSchema,
  snappyUncompress,
  toJson,
} from 'hyparquet'
import { getTreePath } from 'hyparquet/src/schema.js'
import { assertReadError, messageOf, ReadError } from '../problem'
import { MESSAGE_COLUMNS } from '../text/json'
import { phrase } from '../words/words'
import { createUnpackBudget, tooLarge, type UnpackBudget } from './byte-sink'
import { gunzip, unzstd } from './decompress'
import { checkIndex, checkPages, checkSnappy, checkThrift, readerOf } from './parquet-checks'
import type { UnpackedFile } from './unpack'

const KIND = 'Parquet'
const MARK_BYTES = 4
const FOOTER_BYTES = 65_536
/** Memory that a row takes beside its values. */
const BYTES_PER_ROW = 64
/** Rows of this size are read at once, where pages have an index. */
const PART_BYTES = 16_000_000

/** What readers use beside the messages. */
const OTHER_COLUMNS: readonly string[] = ['tools', 'model', 'model_name', 'system_prompt']

/** The rows of a file; the last part that was read is kept. */
export interface ParquetRows {
  readonly count: number
  readonly nameOf: (row: number) => string
  /** A row as JSON. Rejects with a `ReadError`. */
  readonly read: (row: number) => Promise<Uint8Array>
}

/**
 * Opens a file whose bytes are read on demand: rows of about `part` bytes at once, which may unpack to `unpacked`. Rejects
 * with a `ReadError`.
 */
export async function openParquet(
  name: string,
  file: AsyncBuffer,
  { part = PART_BYTES, unpacked }: { readonly part?: number; readonly unpacked?: number } = {},
): Promise<ParquetRows> {
  const { metadata, schema } = await metadataOf(file)
  const all = schema.children.map(({ element }) => element.name)
  if (!all.some((column) => MESSAGE_COLUMNS.includes(column))) {
    const expected = MESSAGE_COLUMNS.join(', ')
    throw new ReadError('parquet_columns', { columns: all.join(', '), expected })
  }
  const columns = all.filter((one) => MESSAGE_COLUMNS.includes(one) || OTHER_COLUMNS.includes(one))

  let count = 0
  const groups = metadata.row_groups.map((group) => {
    const sizes = group.columns.flatMap(({ meta_data: meta, offset_index_offset: index }) =>
      meta !== undefined && columns.some((column) => column === meta.path_in_schema?.[0])
        ? [{ bytes: Number(meta.total_uncompressed_size), index }]
        : [],
    )
    const isIndexed = sizes.every(({ bytes, index }) => bytes < part || index !== undefined)
    const parts = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / part
    const start = count
    const rows = Number(group.num_rows)
    if (!(rows >= 0)) throw readErrorOf(`a group has ${rows} rows`)
    count += rows
    return {
      chunks: group.columns,
      start,
      end: count,
      rowsAtOnce: isIndexed && parts > 1 ? Math.ceil(rows / parts) : rows,
    }
  })
  if (count === 0) throw new ReadError('parquet_empty')

  const opened: OpenedFile = { name, file, metadata, schema, columns, unpacked }
  const digits = String(count).length
  let last: { readonly start: number; readonly rows: ReturnType<typeof readRows> } | undefined
  return {
    count,
    nameOf: (row) => `${name}/${String(row + 1).padStart(digits, '0')}.json`,
    read: async (row) => {
      const group = groups.find(({ end }) => row < end) as (typeof groups)[number]
      const start = row - ((row - group.start) % group.rowsAtOnce)
      const end = Math.min(start + group.rowsAtOnce, group.end)
      if (last?.start !== start) last = { start, rows: readRows(opened, group.chunks, start, end) }
      return strToU8(jsonOf(name, (await last.rows)[row - start], createUnpackBudget(unpacked)))
    },
  }
}

/** A file, what it says of itself, and what is read of it. */
interface OpenedFile extends Awaited<ReturnType<typeof metadataOf>> {
  readonly name: string
  readonly file: AsyncBuffer
  readonly columns: string[]
  readonly unpacked: number | undefined
}

/** Reads rows of one group, of which `chunks` are the columns. hyparquet gets only bytes that were checked. */
async function readRows(
  { name, file, metadata, schema, columns, unpacked }: OpenedFile,
  chunks: readonly ColumnChunk[],
  rowStart: number,
  rowEnd: number,
) {
  const budget = createUnpackBudget(unpacked)
  const spend = (bytes: number) => {
    budget.bytesLeft -= bytes
    if (!(budget.bytesLeft >= 0)) throw tooLarge(name, budget)
  }
  const compressors = unpackersOf(name, budget)
  const checkerOf = (chunk: ColumnChunk) => {
    const { meta_data: meta, offset_index_offset: index, offset_index_length: length } = chunk
    if (meta === undefined || !columns.some((one) => one === meta.path_in_schema?.[0])) return []
    const first = Number(meta.dictionary_page_offset || meta.data_page_offset)
    const last = first + Number(meta.total_compressed_size)
    const [from, to] = [Number(index), Number(index) + Number(length)]
    const path = getTreePath(schema, meta.path_in_schema)
    const column = { meta, path, unpack: compressors[meta.codec], spend }
    return [
      (bytes: Uint8Array, start: number, end: number) => {
        if (from >= start && to <= end)
          checkIndex(bytes.subarray(from - start, to - start), first, last)
        const [at, until] = [Math.max(first, start), Math.min(last, end)]
        if (at < until) checkPages(bytes.subarray(at - start, until - start), column)
      },
    ]
  }
  let failure: unknown
  try {
    const checks = chunks.flatMap(checkerOf)
    const readChecked = async (start: number, end = file.byteLength) => {
      spend(end - start)
      const buffer = await file.slice(start, end)
      for (const check of checks) check(new Uint8Array(buffer), start, end)
      return buffer
    }
    // hyparquet leaves what it began when it fails; an error there would be nobody's.
    const slice = (start: number, end?: number) =>
      readChecked(start, end).catch((error) => {
        failure ??= error
        return new ArrayBuffer(0)
      })
    const checked = { byteLength: file.byteLength, slice }
    const range = { rowStart, rowEnd, useOffsetIndex: true }
    spend((rowEnd - rowStart) * BYTES_PER_ROW)
    const options = { file: checked, metadata, columns, compressors, ...range }
    const rows = await parquetReadObjects(options)
    if (failure !== undefined) throw failure
    return rows
  } catch (error) {
    throw readErrorOf(failure ?? error)
  }
}

/** Each row as a file, at most `limit`; what cannot be read is a problem after the others. */
export async function* unpackParquet(
  name: string,
  file: AsyncBuffer,
  limit: number,
): AsyncGenerator<UnpackedFile> {
  try {
    const { count: rows, nameOf, read } = await openParquet(name, file)
    const count = Math.min(rows, limit)
    for (let row = 0; row < count; row++) yield { name: nameOf(row), bytes: await read(row) }
    if (count < rows) throw new ReadError('parquet_rows', { name, rows, count })
  } catch (error) {
    assertReadError(error)
    yield { name, problem: error.problem }
  }
}

async function metadataOf(file: AsyncBuffer) {
  const markAt = async (at: number) =>
    String.fromCharCode(...new Uint8Array(await file.slice(at, at + MARK_BYTES)))
  const end = await markAt(Math.max(0, file.byteLength - MARK_BYTES))
  if ((await markAt(0)) === 'PARE' || end === 'PARE') throw new ReadError('parquet_encrypted', {})
  // Shorter than its marks and the length of the description between them.
  if (end !== 'PAR1' || file.byteLength < 3 * MARK_BYTES) {
    const missing = phrase('description_of_columns')
    throw new ReadError('archive_cut', { kind: KIND, bytes: file.byteLength, missing })
  }
  const tail = async (length: number) =>
    new Uint8Array(await file.slice(Math.max(0, file.byteLength - length), file.byteLength))
  try {
    let footer = await tail(FOOTER_BYTES)
    const ends = 2 * MARK_BYTES
    const length = readerOf(footer).view.getUint32(footer.length - ends, true)
    if (length + ends > file.byteLength) throw new Error(`its description has ${length} bytes`)
    if (length + ends > footer.length) footer = await tail(length + ends)
    checkThrift(readerOf(footer, footer.length - length - ends))
    const metadata = parquetMetadata(footer, { geoparquet: false })
    return { metadata, schema: parquetSchema(metadata) }
  } catch (error) {
    throw readErrorOf(error)
  }
}

function unpackersOf(
  name: string,
  budget: UnpackBudget,
): Readonly<Record<string, (packed: Uint8Array, size: number) => Uint8Array>> {
  const exactly = (unpack: typeof gunzip) => (packed: Uint8Array, size: number) => {
    try {
      return unpack(name, packed, { ...budget, bytesLeft: size })
    } catch {
      throw new Error(`a page cannot be unpacked to ${size} bytes`)
    }
  }
  return {
    SNAPPY: (packed, size) => {
      checkSnappy(packed)
      const unpacked = new Uint8Array(size)
      snappyUncompress(packed, unpacked)
      return unpacked
    },
    GZIP: exactly(gunzip),
    ZSTD: exactly(unzstd),
  }
}

/** A row as JSON; a dictionary can make it longer than its page. */
function jsonOf(name: string, row: unknown, budget: UnpackBudget): string {
  return JSON.stringify(toJson(row), (_, value) => {
    budget.bytesLeft -= typeof value === 'string' ? value.length : 1
    if (budget.bytesLeft < 0) throw tooLarge(name, budget)
    return value
  })
}

/** Why hyparquet could not read the bytes. */
function readErrorOf(error: unknown): ReadError {
  if (error instanceof ReadError) return error
  const found = { name: messageOf(error).replace(/^parquet /, '') }
  const expected = phrase('undamaged_parquet')
  return new ReadError('archive_broken', { kind: KIND, found, expected })
}
