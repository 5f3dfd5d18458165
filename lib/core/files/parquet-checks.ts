/**
 * What is checked of a Parquet file before hyparquet decodes it, which trusts the counts and sizes that a file states: no
 * list, run or page may have more than its bytes hold, and what it unpacks to is counted.
 */

/** Bytes, and the place of the next one. */
interface Cursor {
  readonly bytes: Uint8Array
  at: number
}

/** A struct: numbers, lists and structs by the number of their field. */
interface Fields {
  readonly [field: number]: ThriftValue
}
type ThriftValue = number | boolean | Fields | readonly ThriftValue[] | undefined

/** A column as its pages are read. */
export interface CheckedColumn {
  readonly isBoolean: boolean
  /** Of a value, in bytes; 0 if they differ. */
  readonly width: number
  readonly repetition: number
  readonly definition: number
  /** Unpacks a page; throws if it has another size. */
  readonly unpack: (packed: Uint8Array, size: number) => Uint8Array
  /** Counts bytes; throws if there are too many. */
  readonly spend: (bytes: number) => void
}

const BYTES_OF_VALUE = 16

function demand(isTrue: boolean, found: string): asserts isTrue {
  if (!isTrue) throw new Error(found)
}

/** Reads a struct of Thrift's compact protocol. */
export function readThrift(cursor: Cursor): Fields {
  const fields: Record<number, ThriftValue> = {}
  for (let field = 0; ; ) {
    const byte = nextByte(cursor)
    if ((byte & 15) === 0) return fields
    field = byte >> 4 === 0 ? zigzag(cursor) : field + (byte >> 4)
    fields[field] = readValue(cursor, byte & 15)
  }
}

function readValue(cursor: Cursor, type: number): ThriftValue {
  if (type <= 2) return type === 1
  if (type === 3) return (nextByte(cursor) << 24) >> 24
  if (type <= 5) return zigzag(cursor)
  if (type === 6) return zigzag(cursor, 10)
  if (type === 12) return readThrift(cursor)
  const byte = type === 9 ? nextByte(cursor) : 0
  const size = type === 7 ? 8 : type === 8 || byte >> 4 === 15 ? varint(cursor) : byte >> 4
  demand(size <= cursor.bytes.length - cursor.at, `a length of ${size} is beyond the end`)
  if (type === 9)
    return Array.from({ length: size }, () => readValue(cursor, Math.max(3, byte & 15)))
  cursor.at += size
  return undefined
}

function nextByte(cursor: Cursor): number {
  const byte = cursor.bytes[cursor.at++]
  demand(byte !== undefined, 'it ends within a value')
  return byte
}

/** A number of at most 32 bits, or of `most` groups of 7. */
function varint(cursor: Cursor, most = 5): number {
  let value = 0
  for (let group = 0; group < most; group++) {
    const byte = nextByte(cursor)
    value += (byte & 127) * 128 ** group
    if (byte < 128 && (most > 5 || value < 2 ** 32)) return value
  }
  throw new Error('a number is too long')
}

function zigzag(cursor: Cursor, most?: number): number {
  const value = varint(cursor, most)
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

const numberIn = (fields: ThriftValue, field: number): number => {
  const value = (fields as Fields | undefined)?.[field]
  demand(typeof value === 'number' && value >= 0, `a count or size is ${value}`)
  return value
}

/** Checks the place of each page that an index of a column names, from `start` to `end` of the file. */
export function checkIndex(bytes: Uint8Array, start: number, end: number): void {
  const pages = readThrift({ bytes, at: 0 })[1]
  demand(Array.isArray(pages) && pages.length > 0, 'an index names no page')
  for (const page of pages) {
    const at = numberIn(page, 1)
    demand(at >= start && at + numberIn(page, 2) <= end, 'an index names a page elsewhere')
  }
}

/** Checks the pages of a column, one after the other. */
export function checkPages(bytes: Uint8Array, column: CheckedColumn): void {
  const cursor = { bytes, at: 0 }
  while (cursor.at < bytes.length - 1) {
    const header = readThrift(cursor)
    const [kind, size, packed] = [1, 2, 3].map((field) => numberIn(header, field))
    const data = header[[5, 6, 7, 8][kind ?? 0] ?? 5]
    const values = numberIn(data, 1)
    const end = cursor.at + (packed ?? 0)
    demand(end <= bytes.length, 'a page ends after its column')
    column.spend((size ?? 0) + values * Math.max(BYTES_OF_VALUE, column.width))
    const page = bytes.subarray(cursor.at, end)
    cursor.at = end
    if (kind === 3) checkSecondVersion(page, size ?? 0, data, column)
    else {
      const body = { bytes: column.unpack(page, size ?? 0), at: 0 }
      if (kind !== 0) continue
      if (column.repetition > 0) countLevels(body, column.repetition, values)
      const full = column.definition > 0 ? countLevels(body, column.definition, values) : values
      checkValues(body, numberIn(data, 2), full, column)
    }
  }
}

function checkSecondVersion(
  page: Uint8Array,
  size: number,
  data: ThriftValue,
  column: CheckedColumn,
): void {
  const [values, nulls, , encoding, definition, repetition] = [1, 2, 3, 4, 5, 6].map((field) =>
    numberIn(data, field),
  ) as [number, number, number, number, number, number]
  const levels = definition + repetition
  demand(nulls <= values && levels <= Math.min(size, page.length), 'a page has more levels than it')
  if (column.repetition > 0)
    countLevels({ bytes: page, at: 0 }, column.repetition, values, repetition)
  if (column.definition > 0)
    countLevels({ bytes: page, at: repetition }, column.definition, values, definition)
  const packed = page.subarray(levels)
  const isPacked = (data as Fields)[7] !== false
  const bytes = isPacked ? column.unpack(packed, size - levels) : packed
  checkValues({ bytes, at: 0 }, encoding, values - nulls, column)
}

/** Checks levels of at most `highest`; gives how many are that. */
function countLevels(cursor: Cursor, highest: number, count: number, length?: number): number {
  const bytes = length ?? readLength(cursor)
  const end = cursor.at + bytes
  const found = checkRuns(cursor, 32 - Math.clz32(highest), count, highest)
  cursor.at = end
  return found
}

function readLength(cursor: Cursor): number {
  return [0, 8, 16, 24].reduce((sum, bits) => sum + nextByte(cursor) * 2 ** bits, 0)
}

/** Checks runs of the hybrid encoding, none of which may have more values than are left; counts those that are `wanted`. */
function checkRuns(cursor: Cursor, width: number, count: number, wanted = -1): number {
  let found = 0
  for (let seen = 0; seen < count; ) {
    const header = varint(cursor)
    const length = Math.floor(header / 2)
    const isRun = header % 2 === 0
    const size = isRun ? Math.ceil(width / 8) : Math.max(1, length * width)
    const start = cursor.at
    cursor.at += size
    demand(cursor.at <= cursor.bytes.length + 1, 'a run ends after its page')
    const most = isRun ? count - seen : Math.max(count, cursor.bytes.length)
    demand(length <= most, `a run has ${length} values, ${count - seen} are left`)
    const values = isRun ? length : Math.min(length * 8, count - seen)
    if (wanted >= 0 && isRun) found += cursor.bytes[start] === wanted ? values : 0
    else if (wanted >= 0) {
      for (let at = 0; at < values; at++) {
        let value = 0
        for (let bit = 0; bit < width; bit++) {
          const place = at * width + bit
          value |= (((cursor.bytes[start + (place >> 3)] ?? 0) >> (place & 7)) & 1) << bit
        }
        if (value === wanted) found++
      }
    }
    seen += values
  }
  return found
}

/** Numbers of encodings that have runs, deltas, and shared starts of texts. */
const RUNS: readonly number[] = [2, 3, 8]
const DELTAS: readonly number[] = [5, 6]
const SHARED_STARTS = 7

function checkValues(
  cursor: Cursor,
  encoding: number,
  count: number,
  { isBoolean, spend }: CheckedColumn,
): void {
  if (RUNS.includes(encoding)) {
    if (isBoolean) readLength(cursor)
    const width = isBoolean ? 1 : nextByte(cursor)
    if (cursor.at < cursor.bytes.length) checkRuns(cursor, width, count)
  } else if (DELTAS.includes(encoding)) readDeltaHeader(cursor)
  else if (encoding === SHARED_STARTS) {
    for (let part = 0; part < 2; part++) spend(sumDeltas(cursor, count))
  }
}

function readDeltaHeader(cursor: Cursor) {
  const [block, blocks] = [varint(cursor), varint(cursor)]
  varint(cursor)
  const values = block / blocks
  demand(Number.isInteger(values) && values > 0 && block < 2 ** 20, `a block has ${values} values`)
  return { blocks, values }
}

/** The sum of values in the delta encoding: lengths of texts. */
function sumDeltas(cursor: Cursor, count: number): number {
  const { blocks, values } = readDeltaHeader(cursor)
  let value = zigzag(cursor, 10)
  let sum = Math.abs(value)
  for (let seen = 1; seen < count; ) {
    const least = zigzag(cursor, 10)
    const widths = Array.from({ length: blocks }, () => nextByte(cursor))
    for (const width of widths) {
      if (seen >= count) break
      const start = cursor.at
      cursor.at += Math.floor((values * width) / 8)
      demand(width <= 32 && cursor.at <= cursor.bytes.length, 'lengths end after their page')
      for (let at = 0; at < values && seen < count; at++, seen++) {
        let more = 0
        for (let bit = at * width; bit < (at + 1) * width; bit++)
          more +=
            (((cursor.bytes[start + (bit >> 3)] ?? 0) >> (bit & 7)) & 1) * 2 ** (bit - at * width)
        value += least + more
        sum += Math.abs(value)
      }
    }
  }
  return sum
}
