/** Steps of a user that the history remembers, and what ends a gesture. */
import fc from 'fast-check'
import { anyText } from '@/lib/core/testing/chat-messages'
import { applyEdits, type Edit } from '@/lib/core/text/span'
import type { Playground } from '../playground'

/** Long enough that edits of it are shorter than half of it. */
const LINES = Array.from({ length: 40 }, (_, line) => `{"role":"user","content":"é ${line}"}\r\n`)
export const LONG = `\ufeff${LINES.join('')}`

const anyTyped = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '"', '\r', '\n', '\ud83d', '\ude00', 'é') }),
  anyText,
)
const anyPlace = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(8),
  text: anyTyped,
})
const kind = <Kind extends string>(name: Kind) => fc.constant(name)

export const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: kind('type'), places: fc.array(anyPlace, { maxLength: 3 }) }),
  },
  fc.record({ kind: kind('replace'), place: anyPlace }),
  fc.record({
    kind: kind('open'),
    text: fc.oneof(fc.constantFrom(LONG, LINES.join('\n'), ''), anyTyped),
    name: fc.constantFrom('a.jsonl', 'b.jsonl'),
  }),
  fc.record({ kind: kind('window'), turns: fc.nat(80) }),
  fc.record({ kind: kind('placeholder'), text: anyText }),
  { weight: 3, arbitrary: fc.record({ kind: kind('undo') }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('redo') }) },
  fc.record({ kind: fc.constantFrom('endGesture', 'formatSource', 'clearText') }),
)

/** Edits in order, of whole parts of the text. */
function editsAt(text: string, places: readonly { at: number; length: number; text: string }[]) {
  let position = 0
  return places
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, length, text: inserted }): Edit => {
      const start = Math.max(position, Math.floor(at * text.length))
      position = Math.min(start + length, text.length)
      return { start, end: position, text: inserted }
    })
}

export function takeStep(
  { store, actions }: Playground,
  step: typeof anyStep extends fc.Arbitrary<infer Step> ? Step : never,
): void {
  const { text } = store.getState().source
  switch (step.kind) {
    case 'type':
      return void actions.editText(editsAt(text, step.places))
    case 'replace':
      return void actions.replaceTyped(applyEdits(text, editsAt(text, [step.place])))
    case 'open':
      return void actions.openText(step.text, step.name, { kind: 'file' })
    case 'window':
      return void actions.changePolicy({ windowTurns: step.turns }, 'windowTurns')
    case 'placeholder':
      return void actions.changePolicy({ placeholderTemplate: step.text })
    default:
      return void actions[step.kind]()
  }
}
