import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReadError } from '../problem'
import { anyUnicode } from '../testing/any-unicode'
import { forAll, forAllAsync, testSize } from '../testing/test-size'
import { zipOf } from '../testing/zip-of'
import { otherKindOf } from '../text/decode-utf8'
import { describeProblem } from '../words/english'
import { createByteSink, createUnpackBudget } from './byte-sink'
import { crc32 } from './decompress'
import { type UnpackedFile, unpack } from './unpack'

const utf8 = (text: string) => new TextEncoder().encode(text)
const TEXT = '[{"role":"user","content":"hello"}]'

const PACKED = JSON.stringify({ messages: [{ role: 'user', content: 'packed '.repeat(40) }] })
/** Made of it by `zstd -19`. */
const BASE64 =
  'KLUv/WRDALUBACJDCxGgbQyFHdPhsZY6qxoYJ6B6GJPMwdFkilsMmULWzOGnGxeram85xKuo7OpaBgEAdpBayoa2IHU='
const BY_ZSTD = Uint8Array.from(Buffer.from(BASE64, 'base64'))

/** A member of a zip archive that is packed already. */
const raw = (compressionMethod: number, uncompressedSize: number, signature = 0) => {
  return { passThrough: true, compressionMethod, uncompressedSize, signature }
}

/** Unpacks a file and returns each result as its text or the sentence of its problem. */
function shown(files: readonly UnpackedFile[]): (readonly [string, string])[] {
  return files.map((file) => [
    file.name,
    'problem' in file ? describeProblem(file.problem) : new TextDecoder().decode(file.bytes),
  ])
}

async function unpacked(name: string, bytes: Uint8Array, budget = createUnpackBudget()) {
  return shown(await unpack(name, bytes, budget))
}

/** The sentence of the only problem of an archive. */
async function sentenceOf(bytes: Uint8Array, budget = createUnpackBudget()) {
  const [found, ...others] = await unpacked('x', bytes, budget)
  expect(others).toEqual([])
  return found?.[1]
}

test('a file that is not an archive is returned unchanged, whatever its name', async () => {
  expect(await unpacked('run.gz', utf8(TEXT))).toEqual([['run.gz', TEXT]])
})

test('gzip: any text in any number of members is unpacked completely', async () => {
  const anyTexts = fc.array(anyUnicode(), { minLength: 1 })
  await forAllAsync(100, [anyTexts], async (texts) => {
    const packed = Buffer.concat(texts.map((text) => gzipSync(text)))
    const [file] = await unpack('x', packed, createUnpackBudget())
    const bytes = Buffer.concat(texts.map((text) => Buffer.from(text, 'utf8')))
    expect(file && 'bytes' in file && bytes.equals(file.bytes)).toBe(true)
  })
})

test('gzip: a large archive cut anywhere is reported as cut off', async () => {
  const text = Array.from({ length: 9_000 }, (_, line) => `${(line * 7_919) % 10_007}`).join(' ')
  const packed = gzipSync(text)
  expect(packed.length).toBeGreaterThan(16_384)
  expect(await unpacked('x', packed)).toEqual([['x', text]])
  for (const end of [3, 11, 100, 16_384, 16_400, packed.length - 9, packed.length - 1]) {
    const sentence = await sentenceOf(packed.subarray(0, end))
    expect(sentence?.slice(0, 50), String(end)).toMatch(/^The gzip archive (ends after|is broken)/)
  }
})

test('gzip: a changed byte is found by the checksum', async () => {
  const packed = gzipSync(TEXT)
  packed[packed.length - 6] = (packed[packed.length - 6] as number) ^ 1
  expect(await sentenceOf(packed)).toBe(
    `The gzip archive is broken: the checksum before byte ${packed.length} does not match; expected an undamaged file.`,
  )
})

test('zstd: one frame, two frames, cut off', async () => {
  expect(await unpacked('a.json.zst', BY_ZSTD)).toEqual([['a.json', PACKED]])
  expect(await unpacked('a', Buffer.concat([BY_ZSTD, BY_ZSTD]))).toEqual([['a', PACKED + PACKED]])
  // In the data, and in the size that the frame states.
  for (const cut of [BY_ZSTD.subarray(0, -6), BY_ZSTD.subarray(0, 6)])
    expect(await sentenceOf(cut)).toBe(
      `The zstd archive ends after ${cut.length} bytes, before the end of its data; expected the whole archive. It looks cut off.`,
    )
})

test('zstd: a frame of another program is skipped, and the one behind it is checked', async () => {
  const skipped = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]
  const between = [...BY_ZSTD, ...skipped]
  const two = Uint8Array.from([...between, ...BY_ZSTD])
  expect(await unpacked('a', two)).toEqual([['a', PACKED + PACKED]])
  const window = [0x28, 0xb5, 0x2f, 0xfd, 0, 31 << 3, 1, 0, 0]
  expect(await sentenceOf(Uint8Array.from([...between, ...window]))).toMatch(/^x would exceed/)
})

test('zstd: frames of other programs at the start, between and at the end are skipped', async () => {
  const frame = (size: number, id = 0x50, stated = size) => {
    const head = new Uint8Array(8 + size)
    new DataView(head.buffer).setUint32(0, 0x184d2a00 + id, true)
    new DataView(head.buffer).setUint32(4, stated, true)
    return head
  }
  const join = (...parts: readonly Uint8Array[]) => Uint8Array.from(Buffer.concat(parts))
  const [small, none, long] = [frame(3, 0x5f), frame(0, 0x5a), frame(40_000)]
  for (const start of [[small], [none], [long], [small, none, long], Array(9_000).fill(none)]) {
    const all = join(...start, BY_ZSTD, ...start, BY_ZSTD, ...start)
    expect(await unpacked('a.json.zst', all)).toEqual([['a.json', PACKED + PACKED]])
    expect(otherKindOf(all)).toBe('zstd_archive')
  }
  const window = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 31 << 3, 1, 0, 0])
  expect(await sentenceOf(join(small, window))).toMatch(/^x would exceed/)
  expect(await sentenceOf(join(small, BY_ZSTD, frame(2, 0x50, 9)))).toMatch(/It looks cut off\.$/)
  // What has no frame to unpack is no archive.
  const [cut, other] = [frame(2, 0x50, 2 ** 32 - 1), join(small, gzipSync(TEXT))]
  for (const bytes of [small, cut, small.subarray(0, 6), other, join(frame(3, 0x60), BY_ZSTD)]) {
    expect(await unpack('x', bytes, createUnpackBudget())).toEqual([{ name: 'x', bytes }])
    expect(otherKindOf(bytes)).toBeUndefined()
  }
})

test('zstd: a window that its blocks would be moved through for minutes is refused', async () => {
  const window = [0x28, 0xb5, 0x2f, 0xfd, 0, 17 << 3]
  const blocks = Array.from({ length: 999 }, () => [10, 0, 0, 65]).flat()
  const sentence = await sentenceOf(Uint8Array.from([...window, ...blocks, 11, 0, 0, 65]))
  expect(sentence).toMatch(/^x would exceed the limit/)
})

test('zip: stored, deflated and zstd members, folders skipped, inner archives unpacked', async () => {
  const zip = await zipOf(
    { name: 'a.json', bytes: utf8(TEXT), options: { level: 0 } },
    { name: 'logs/', bytes: utf8(''), options: { directory: true } },
    { name: 'logs/b.json', bytes: utf8(TEXT) },
    { name: 'logs/c.json', bytes: BY_ZSTD, options: raw(93, PACKED.length, crc32(utf8(PACKED))) },
    { name: 'd.jsonl.gz', bytes: gzipSync(TEXT) },
    { name: 'empty.json', bytes: utf8('') },
  )
  expect(await unpacked('runs.zip', zip)).toEqual([
    ['runs.zip/a.json', TEXT],
    ['runs.zip/logs/b.json', TEXT],
    ['runs.zip/logs/c.json', PACKED],
    ['runs.zip/d.jsonl', TEXT],
    ['runs.zip/empty.json', ''],
  ])
})

test('zip: members of any size, stored and deflated, are unpacked completely', async () => {
  const member = fc.record({
    size: fc.oneof(fc.nat(100), fc.nat(300_000)),
    period: fc.integer({ min: 1, max: 100_000 }),
    level: fc.constantFrom(0, 1, 9),
  })
  await forAllAsync(50, [fc.array(member, { minLength: 1, maxLength: 5 })], async (members) => {
    const contents = members.map(({ size, period }) =>
      Uint8Array.from({ length: size }, (_, at) => ((at % period) * 7_919) >> 8),
    )
    const packed = contents.map((bytes, at) => {
      return { name: `${at}.json`, bytes, options: { level: members[at]?.level ?? 0 } }
    })
    const zip = await zipOf(...packed)
    const files = await unpack('x', zip, createUnpackBudget())
    expect(files.length).toBe(contents.length)
    for (const [at, file] of files.entries())
      expect('bytes' in file && Buffer.from(contents[at] ?? []).equals(file.bytes)).toBe(true)
  })
})

test('zip: an unreadable member has a problem, and the others are unpacked', async () => {
  const zip = await zipOf(
    { name: 'locked.json', bytes: utf8(TEXT), options: { password: 'x', zipCrypto: true } },
    { name: 'old.json', bytes: utf8(TEXT), options: raw(12, 99) },
    { name: 'older.json', bytes: utf8(TEXT), options: raw(2, 99) },
    { name: 'false.json', bytes: utf8(TEXT), options: raw(0, TEXT.length, 1) },
    { name: '../out.json', bytes: utf8(TEXT) },
    { name: 'good.json', bytes: utf8(TEXT) },
  )
  const found = await unpacked('runs.zip', zip)
  const kinds = 'expected stored, deflate or zstd.'
  expect(found.map(([name, text]) => text.replace(`${name} in the zip archive is `, ''))).toEqual([
    'encrypted; expected an archive without a password.',
    `compressed with bzip2 (12); ${kinds}`,
    `compressed with an unknown method (2); ${kinds}`,
    'broken: Invalid CRC32; expected the data its directory describes.',
    'broken: its name leads out of the archive; expected a name within it.',
    TEXT,
  ])
})

test('zip: archives that are cut off or empty have a problem', async () => {
  const zip = await zipOf({ name: 'a.json', bytes: utf8(TEXT) })
  expect(await sentenceOf(zip.subarray(0, 60))).toBe(
    'The zip archive ends after 60 bytes, before the directory at its end; expected the whole archive. It looks cut off.',
  )
  expect(await sentenceOf(zip.with(-18, 1))).toBe(
    'The zip archive is broken: Split zip file; expected a directory of files.',
  )
  expect(await sentenceOf(await zipOf())).toBe(
    'The zip archive contains no files; expected a transcript.',
  )
})

test('archive bombs stop at the budget: gzip, zip with and without its size, nested archives', async () => {
  const zeros = new Uint8Array(testSize(12_000_000, 50_000_000))
  const large = (member: string) =>
    `${member} would exceed the limit of 10 MB for unpacked files. Unpack the archive and open the file by itself.`
  const budget = () => createUnpackBudget(10_000_000, 10)
  expect(await unpacked('x.gz', gzipSync(zeros), budget())).toEqual([['x.gz', large('x.gz')]])
  expect(await sentenceOf(BY_ZSTD, createUnpackBudget(100, 10))).toMatch(
    /^x would exceed the limit/,
  )
  const lying = await zipOf({ name: 'a', bytes: deflateRawSync(zeros), options: raw(8, 9) })
  expect(await sentenceOf(lying, budget())).toBe(
    'x/a in the zip archive is broken: Invalid uncompressed size; expected the data its directory describes.',
  )
  const zip = await zipOf({ name: 'a', bytes: zeros }, { name: 'b', bytes: utf8(TEXT) })
  expect(await unpacked('x.zip', zip, budget())).toEqual([
    ['x.zip/a', large('x.zip/a')],
    ['x.zip/b', TEXT],
  ])
  const doubled = await zipOf({ name: 'a.gz', bytes: gzipSync(zeros) })
  expect(await sentenceOf(doubled, budget())).toBe(large('x/a.gz'))
  const nested = [1, 2, 3, 4, 5].reduce((bytes) => gzipSync(bytes), Buffer.from(TEXT))
  const deep = 'x is inside more than 4 nested archives; expected fewer.'
  expect(await sentenceOf(nested, budget())).toBe(deep)
})

test('more files than the budget allows: the first are unpacked, and the rest is reported', async () => {
  const zip = await zipOf(...['a', 'b', 'c'].map((name) => ({ name, bytes: utf8(TEXT) })))
  expect(await unpacked('x.zip', zip, createUnpackBudget(1e6, 2))).toEqual([
    ['x.zip/a', TEXT],
    ['x.zip/b', TEXT],
    ['x.zip', 'x.zip has more than 2 files; only the first 2 are listed.'],
  ])
})

test('damaged archives never throw', async () => {
  const long = utf8(TEXT.repeat(50))
  const zip = await zipOf({ name: 'a.json', bytes: utf8(TEXT) }, { name: 'b.json', bytes: long })
  const packed = [zip, new Uint8Array(gzipSync(long)), BY_ZSTD]
  const [anyPacked, anyChange] = [fc.constantFrom(...packed), fc.integer({ min: 1, max: 255 })]
  await forAllAsync(500, [anyPacked, fc.nat(), anyChange], async (bytes, at, change) => {
    const place = at % bytes.length
    const damaged = bytes.with(place, (bytes[place] as number) ^ change)
    const files = await unpack('x', damaged, createUnpackBudget(10_000_000))
    expect(files.length).toBeGreaterThan(0)
  })
})

test('all bytes are collected in order, and never more than the budget', () => {
  const anyPieces = fc.array(fc.uint8Array())
  forAll(1_000, [anyPieces, fc.nat(100)], (pieces, limit) => {
    const budget = createUnpackBudget(limit)
    const sink = createByteSink('a', budget)
    const whole = Buffer.concat(pieces)
    const collect = () => {
      for (const piece of pieces) sink.write(piece)
      return sink.finish()
    }
    if (whole.length > limit) expect(collect).toThrow(ReadError)
    else expect(whole.equals(collect())).toBe(true)
    expect(budget.bytesLeft).toBe(whole.length > limit ? limit : limit - whole.length)
  })
})
