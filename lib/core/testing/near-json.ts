/** Generators of arguments, well formed and nearly so. */
import fc from 'fast-check'
import { anyUnicode } from './any-unicode'

/** Realistic arguments: paths, queries, code, patterns, prose. */
const name = fc
  .stringMatching(/^[a-z][a-z_]{0,9}$/)
  .filter(
    (word) => !/^(first|last|rules|note|nan|inf|nil|null|true|false|undefined|end)$/.test(word),
  )
const words = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[A-Za-z]{1,8}$/),
      fc.constantFrom(
        ...'src/app.ts --flag 12.5 a, (see) "name" print("hi") class="x" it\'s \\d+'.split(' '),
        ...'é 日本 😀 <b> a=b { } [0] #1 + // https://a.org/?q=1'.split(' '),
        ...['x: y', 'a "b", "c d"', '\n', '\t'],
      ),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(' '))
const leaf = fc.oneof(
  { weight: 3, arbitrary: words },
  fc.integer({ min: -1e6, max: 1e6 }),
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1, max: 1 })
    .map((value) => Number(value.toFixed(3)) + 0),
  fc.boolean(),
  fc.constant(null),
)
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 4, arbitrary: leaf },
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 3 }),
  ),
}))
export const realisticArguments = fc.dictionary(name, json, {
  minKeys: 1,
  maxKeys: 4,
}) as fc.Arbitrary<Record<string, never>>

/** Almost valid JSON: JSON tokens in any order, and generated JSON with characters removed, doubled or inserted. */
const piece = fc.constantFrom(
  ...'{}[]":,\'`\\/()<>=;#.+-0123456789 \n\t“”é😀\u0000\ufeff'.split(''),
  ...'"a" "a": "" [""] true None NaN ``` /* */ // ... \\" \\u00 {"a":1} 1e f( <a>'.split(' '),
  ...'b: f(x) x[0] }{ "b","c"'.split(' '),
  ...[' + ', '- ', '1. ', '# ', ' // ', 'word '],
)
export const nearJson = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc
    .tuple(
      fc.json({ maxDepth: 3 }),
      fc.array(fc.tuple(fc.nat(), piece, fc.nat(2)), { minLength: 1, maxLength: 4 }),
    )
    .map(([text, changes]) =>
      changes.reduce((before, [at, insert, removed]) => {
        const place = before.length === 0 ? 0 : at % before.length
        return before.slice(0, place) + insert + before.slice(place + removed)
      }, text),
    ),
  anyUnicode({ maxLength: 40 }),
)

/** Pieces of program code, lists and comments in the places of names, values and boundaries. */
const codePiece = fc.constantFrom(
  ...'{ } [ ] : , " \' ` ( ) + - * / . = # // /* */ \\ ; => ? ! & | ...'.split(' '),
  ...'1 -2 3.5 .5 1. 0 00 1e5 2) (3) a b key f( x[0] lambda x**2 <t> </t> ``` ```json'.split(' '),
  ...'True None null NaN "k" "k": \'v\' "s" "" [""] [] {} data["q"]'.split(' '),
  ...[' ', '\n', ', ', ': ', '":', '","', '":1,"', '- 1. '],
)
export const nearCode = fc
  .tuple(
    fc.constantFrom('', '{"a": ', '{"a": [', '[', '{', '{"x": {"y": ', '[{"i": ', '{"f": "'),
    fc.array(codePiece, { minLength: 1, maxLength: 14 }),
    fc.constantFrom('}', ']}', ']', '}}', '', ', "b": 2}', '"}', '"]}'),
  )
  .map(([start, pieces, end]) => start + pieces.join('') + end)
