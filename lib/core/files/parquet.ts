/**
 * Rows of a Parquet file as files of JSON: https://parquet.apache.org/docs/file-format/
 * Only files with a column of messages are read, one group of rows after the other until the budget is used up.
 * Snappy is part of hyparquet; gzip and Zstandard are those of the archives.
 */
import { gunzipSync, strToU8 } from 'fflate'
import { decompress } from 'fzstd'
import { parquetMetadata, parquetReadObjects, parquetSchema, toJson } from 'hyparquet'
import { messageOf, type Problem, ReadError } from '../problem'
import { MESSAGE_COLUMNS } from '../text/message-columns'
import { tooLarge, type UnpackBudget } from './byte-sink'

const KIND = 'Parquet'
const MARK_BYTES = 4

type RowFile =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly problem: Problem }

/** Returns each row as a file; throws a `ReadError` when no row can be read. */
export async function unpackParquet(
  name: string,
  bytes: Uint8Array,
  budget: UnpackBudget,
): Promise<readonly RowFile[]> {
  const metadata = metadataOf(bytes)
  const columns = parquetSchema(metadata).children.map(({ element }) => element.name)
  if (!columns.some((column) => MESSAGE_COLUMNS.includes(column))) {
    const expected = MESSAGE_COLUMNS.join(', ')
    throw new ReadError('parquet_columns', { columns: columns.join(', '), expected })
  }
  const file = {
    byteLength: bytes.length,
    // A copy: what a slice of Node's buffers shares is larger.
    slice: (start: number, end?: number) => new Uint8Array(bytes.subarray(start, end)).buffer,
  }
  const rows = Number(metadata.num_rows)
  const checked =
    (unpack: (packed: Uint8Array) => Uint8Array) => (packed: Uint8Array, size: number) => {
      if (size > budget.bytesLeft) throw tooLarge(name, budget)
      return unpack(packed)
    }
  const compressors = {
    GZIP: checked((packed) => gunzipSync(packed)),
    ZSTD: checked((packed) => decompress(packed)),
  }
  const files: RowFile[] = []
  const digits = String(rows).length
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    try {
      const read = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd })
      for (const row of read) {
        const packed = strToU8(JSON.stringify(toJson(row)))
        if (budget.filesLeft === 0 || packed.length > budget.bytesLeft) {
          const values = { name, rows, count: files.length }
          return [...files, { name, problem: { code: 'parquet_rows', values, offset: undefined } }]
        }
        budget.filesLeft--
        budget.bytesLeft -= packed.length
        const number = String(files.length + 1).padStart(digits, '0')
        files.push({ name: `${name}/${number}.json`, bytes: packed })
      }
    } catch (error) {
      const found = readErrorOf(error)
      if (files.length === 0) throw found
      return [...files, { name, problem: found.problem }]
    }
    rowStart = rowEnd
  }
  if (files.length === 0) throw new ReadError('archive_empty', { kind: KIND })
  return files
}

function metadataOf(bytes: Uint8Array) {
  const markAt = (at: number) => String.fromCharCode(...bytes.subarray(at, at + MARK_BYTES))
  const end = markAt(bytes.length - MARK_BYTES)
  if (markAt(0) === 'PARE' || end === 'PARE') throw new ReadError('parquet_encrypted', {})
  if (end !== 'PAR1') {
    const missing = 'the description of its columns'
    throw new ReadError('archive_cut', { kind: KIND, bytes: bytes.length, missing })
  }
  try {
    return parquetMetadata(bytes)
  } catch (error) {
    throw readErrorOf(error)
  }
}

/** Why hyparquet could not read the bytes. */
function readErrorOf(error: unknown): ReadError {
  if (error instanceof ReadError) return error
  const found = messageOf(error).replace(/^parquet /, '')
  const expected = 'an undamaged file, uncompressed or compressed with Snappy, gzip or Zstandard'
  return new ReadError('archive_broken', { kind: KIND, found, expected })
}
