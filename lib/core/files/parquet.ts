/**
 * Rows of a Parquet file as files of JSON: https://parquet.apache.org/docs/file-format/
 * Read are the description at the file's end, then only the group of rows that is asked for, and in it only the columns of
 * a conversation. Where pages have an index, a large group is read in parts. Snappy is part of hyparquet; gzip and
 * Zstandard are those of the archives.
 */

import { gunzipSync, strToU8 } from 'fflate'
import { decompress } from 'fzstd'
import {
  type AsyncBuffer,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  toJson,
} from 'hyparquet'
import { assertReadError, messageOf, ReadError } from '../problem'
import { MESSAGE_COLUMNS } from '../text/json-object'
import { phrase } from '../words/words'
import { createUnpackBudget, tooLarge } from './byte-sink'
import type { UnpackedFile } from './unpack'

const KIND = 'Parquet'
const MARK_BYTES = 4
const FOOTER_BYTES = 65_536
/** For files whose pages have an index. */
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

/** In bytes. */
export interface ParquetLimits {
  /** Rows of about this size are read at once. */
  readonly part?: number
  /** What one part may unpack to. */
  readonly unpacked?: number
}

/** Opens a file whose bytes are read on demand. Rejects with a `ReadError`. */
export async function openParquet(
  name: string,
  file: AsyncBuffer,
  { part = PART_BYTES, unpacked }: ParquetLimits = {},
): Promise<ParquetRows> {
  const metadata = await metadataOf(file)
  const all = parquetSchema(metadata).children.map(({ element }) => element.name)
  if (!all.some((column) => MESSAGE_COLUMNS.includes(column))) {
    const expected = MESSAGE_COLUMNS.join(', ')
    throw new ReadError('parquet_columns', { columns: all.join(', '), expected })
  }
  const columns = all.filter((one) => MESSAGE_COLUMNS.includes(one) || OTHER_COLUMNS.includes(one))

  let count = 0
  const groups = metadata.row_groups.map((group) => {
    const sizes = group.columns.flatMap(({ meta_data: meta, offset_index_offset: index }) =>
      meta !== undefined && columns.some((column) => column === meta.path_in_schema[0])
        ? [{ bytes: Number(meta.total_uncompressed_size), index }]
        : [],
    )
    const isIndexed = sizes.every(({ bytes, index }) => bytes < part || index !== undefined)
    const parts = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / part
    const start = count
    const rows = Number(group.num_rows)
    count += rows
    return {
      start,
      end: count,
      rowsAtOnce: isIndexed && parts > 1 ? Math.ceil(rows / parts) : rows,
    }
  })
  if (count === 0) throw new ReadError('parquet_empty')

  const readPart = async (rowStart: number, rowEnd: number) => {
    const budget = createUnpackBudget(unpacked)
    const checked =
      (unpack: (packed: Uint8Array, size: number) => Uint8Array) =>
      (packed: Uint8Array, size: number) => {
        budget.bytesLeft -= size
        if (budget.bytesLeft < 0) throw tooLarge(name, budget)
        return unpack(packed, size)
      }
    const compressors = {
      GZIP: checked((packed, size) => gunzipSync(packed, { out: new Uint8Array(size) })),
      ZSTD: checked((packed) => decompress(packed)),
    }
    const range = { rowStart, rowEnd, useOffsetIndex: true }
    try {
      return await parquetReadObjects({ file, metadata, columns, compressors, ...range })
    } catch (error) {
      throw readErrorOf(error)
    }
  }

  const digits = String(count).length
  let last: { readonly start: number; readonly rows: ReturnType<typeof readPart> } | undefined
  return {
    count,
    nameOf: (row) => `${name}/${String(row + 1).padStart(digits, '0')}.json`,
    read: async (row) => {
      const group = groups.find(({ end }) => row < end) as (typeof groups)[number]
      const start = row - ((row - group.start) % group.rowsAtOnce)
      const end = Math.min(start + group.rowsAtOnce, group.end)
      if (last?.start !== start) last = { start, rows: readPart(start, end) }
      return strToU8(JSON.stringify(toJson((await last.rows)[row - start])))
    },
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
  try {
    return await parquetMetadataAsync(file, { initialFetchSize: FOOTER_BYTES })
  } catch (error) {
    throw readErrorOf(error)
  }
}

/** Why hyparquet could not read the bytes. */
function readErrorOf(error: unknown): ReadError {
  if (error instanceof ReadError) return error
  const found = { name: messageOf(error).replace(/^parquet /, '') }
  const expected = phrase('undamaged_parquet')
  return new ReadError('archive_broken', { kind: KIND, found, expected })
}
