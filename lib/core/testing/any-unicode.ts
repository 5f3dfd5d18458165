import fc from 'fast-check'

const SURROGATES = 0x800

/** Any code point but the surrogates. The unit `binary` of fast-check lists all million of them first. */
const anyCodePoint = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + SURROGATES))

export const anyUnicode = (lengths?: fc.StringConstraints): fc.Arbitrary<string> =>
  fc.string({ ...lengths, unit: anyCodePoint })
