/**
 * What is checked of a Parquet file before hyparquet decodes it, which trusts the counts and sizes that a file states: no
 * list, run or page may have more than its bytes hold, and what it takes is counted.
 */
import { type ColumnMetaData, readOffsetIndex, type SchemaTree } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js'
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js'
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js'
import { readVarInt } from 'hyparquet/src/thrift.js'

/** Bytes, and the place of the next one. */
interface Reader {
  readonly view: DataView
  offset: number
}

/** A column as its pages are read. */
interface CheckedColumn {
  readonly meta: ColumnMetaData
  readonly path: SchemaTree[]
  /** Unpacks a page; throws if it has another size. Undefined if pages are not packed. */
  readonly unpack: ((packed: Uint8Array, size: number) => Uint8Array) | undefined
  /** Counts bytes; throws if there are too many. */
  readonly spend: (bytes: number) => void
}

/** Memory that a decoded value takes, unless its type states more. */
const BYTES_PER_VALUE = 16

function demand(isTrue: boolean, found: string): asserts isTrue {
  if (!isTrue) throw new Error(found)
}

export function readerOf(bytes: Uint8Array, offset = 0): Reader {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset }
}

/** Checks a struct of Thrift's compact protocol, and moves behind it. */
export function checkThrift(reader: Reader): void {
  for (;;) {
    const byte = reader.view.getUint8(reader.offset++)
    if ((byte & 15) === 0) return
    if (byte >> 4 === 0) checkElement(reader, 4)
    checkElement(reader, byte & 15)
  }
}

function checkElement(reader: Reader, type: number): void {
  if (type <= 2) return
  if (type === 12) checkThrift(reader)
  else if (type === 9) {
    const byte = reader.view.getUint8(reader.offset++)
    const size = byte >> 4 === 15 ? readVarInt(reader) : byte >> 4
    checkLength(reader, size)
    for (let at = 0; at < size; at++) checkElement(reader, Math.max(3, byte & 15))
  } else if (type >= 4 && type <= 6) {
    // Longer ones make a number whose digits grow with each byte.
    let bytes = 1
    while (reader.view.getUint8(reader.offset++) > 127)
      demand(++bytes <= 10, 'a number is too long')
  } else {
    const size = type === 3 ? 1 : type === 7 ? 8 : readVarInt(reader)
    checkLength(reader, size)
    reader.offset += size
  }
}

function checkLength({ view, offset }: Reader, length: number): void {
  demand(length >= 0 && length <= view.byteLength - offset, `a length is ${length}`)
}

/** Checks that no part of a text in Snappy has more bytes than are left: hyparquet would go back. */
export function checkSnappy(packed: Uint8Array): void {
  const reader = readerOf(packed)
  checkElement(reader, 4)
  while (reader.offset < packed.length) {
    const tag = reader.view.getUint8(reader.offset++)
    const sizeBytes = Math.max(0, (tag >> 2) - 59)
    if ((tag & 3) !== 0) reader.offset += [0, 1, 2, 4][tag & 3] as number
    else if (sizeBytes === 0) reader.offset += (tag >> 2) + 1
    else {
      const size = packed.subarray(reader.offset, reader.offset + sizeBytes)
      reader.offset += sizeBytes
      const length = size.reduceRight((sum, byte) => sum * 256 + byte, 0) + 1
      checkLength(reader, length)
      reader.offset += length
    }
  }
}

/** Checks the place of each page that an index of a column names, from `start` to `end` of the file. */
export function checkIndex(bytes: Uint8Array, start: number, end: number): void {
  checkThrift(readerOf(bytes))
  const { page_locations: pages } = readOffsetIndex(readerOf(bytes))
  for (const { offset, compressed_page_size: size } of pages)
    demand(offset >= start && Number(offset) + size <= end, 'an index names a page elsewhere')
}

/** Checks the pages of a column, one after the other. */
export function checkPages(bytes: Uint8Array, { meta, path, unpack, spend }: CheckedColumn): void {
  const reader = readerOf(bytes)
  const [repetition, definition] = [getMaxRepetitionLevel(path), getMaxDefinitionLevel(path)]
  const most = Math.max(BYTES_PER_VALUE, path.at(-1)?.element.type_length ?? 0)
  while (reader.offset < bytes.length - 1) {
    const { offset } = reader
    checkThrift(reader)
    const header = parquetHeader(readerOf(bytes, offset))
    const { uncompressed_page_size: size, compressed_page_size: packed } = header
    const second = header.type === 'DATA_PAGE_V2' ? header.data_page_header_v2 : undefined
    const data = second ?? (header.type === 'DATA_PAGE' ? header.data_page_header : undefined)
    const values = (data ?? header.dictionary_page_header)?.num_values ?? -1
    const lengths = second && {
      repetition: second.repetition_levels_byte_length,
      definition: second.definition_levels_byte_length,
    }
    const levels = lengths === undefined ? 0 : lengths.repetition + lengths.definition
    for (const count of [size, packed, values, ...Object.values(lengths ?? {})])
      demand(Number.isInteger(count) && count >= 0, `a count or size is ${count}`)
    checkLength(reader, packed)
    demand(levels <= Math.min(size, packed), 'a page has more levels than bytes')
    const page = bytes.subarray(reader.offset, reader.offset + packed)
    reader.offset += packed
    const isPacked = unpack !== undefined && second?.is_compressed !== false
    spend(values * most + (isPacked ? size : 0))
    const content = page.subarray(levels)
    const body = readerOf(isPacked ? unpack(content, size - levels) : content)
    if (data === undefined) continue
    // Those of the second version are before what is packed.
    const before = second === undefined ? body : readerOf(page)
    if (repetition > 0) countLevels(before, repetition, values, lengths?.repetition)
    if (lengths) before.offset = lengths.repetition
    const found =
      definition > 0 ? countLevels(before, definition, values, lengths?.definition) : values
    const full = second === undefined ? found : values - second.num_nulls
    demand(full >= 0 && full <= values, `a page has ${full} of ${values} values`)
    const isLengthStated = second ? data.encoding === 'RLE' : meta.type === 'BOOLEAN'
    checkValues(body, data.encoding, full, isLengthStated, spend)
  }
}

/** Checks levels of at most `highest`; returns how many are that. */
function countLevels(reader: Reader, highest: number, count: number, length?: number): number {
  const width = 32 - Math.clz32(highest)
  const start = reader.offset + (length === undefined ? 4 : 0)
  checkRuns({ view: reader.view, offset: start }, width, count)
  const levels: number[] = new Array(count)
  readRleBitPackedHybrid(reader, width, levels, length)
  return levels.filter((level) => level === highest).length
}

/** Checks runs of the hybrid encoding, none of which may have more values than are left. */
function checkRuns(reader: Reader, width: number, count: number): void {
  for (let seen = 0; seen < count; ) {
    const header = readVarInt(reader)
    const isRun = (header & 1) === 0
    const values = isRun ? header >>> 1 : (header >> 1) << 3
    const left = isRun ? count - seen : Math.max(count + 8, reader.view.byteLength)
    demand(values >= 0 && values <= left, `a run has ${values} values, ${count - seen} are left`)
    reader.offset += isRun ? Math.ceil(width / 8) : Math.max(1, (values * width) / 8)
    seen += values
  }
}

function checkValues(
  reader: Reader,
  encoding: string,
  count: number,
  isLengthStated: boolean,
  spend: (bytes: number) => void,
): void {
  if (encoding === 'RLE' || encoding.endsWith('_DICTIONARY')) {
    const width = isLengthStated ? 1 : count === 0 ? 0 : reader.view.getUint8(reader.offset++)
    if (isLengthStated) reader.offset += 4
    checkRuns(reader, width, count)
  } else if (encoding.startsWith('DELTA_')) {
    const isShared = encoding === 'DELTA_BYTE_ARRAY'
    for (let part = 0; part < (isShared ? 2 : 1); part++) {
      const head = { ...reader }
      const [block, parts] = [readVarInt(head), readVarInt(head)]
      // hyparquet would go back.
      demand(block >= 0 && parts >= 0, `a block has ${block} values in ${parts} parts`)
      if (!isShared) continue
      const lengths = new Int32Array(count)
      deltaBinaryUnpack(reader, count, lengths)
      spend(lengths.reduce((sum, length) => sum + Math.abs(length), 0))
    }
  }
}
