import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { maskEdits } from '@/lib/core/mask/mask-document'
import { positionAt } from '@/lib/core/text/lines'
import { applyEdits } from '@/lib/core/text/span'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { decisionsOf } from '../policy/policy-view'
import { eventually } from '../testing/eventually'
import { lineIndexOf } from './selectors'
import { firstMaskedOf, type PreviewPiece, textPreviewOf } from './text-preview'

const SAMPLES = readdirSync('public/samples').filter((name) => /-.*\.json$/.test(name))
const CUT = 8000

test.each(SAMPLES)(
  'the preview of %s has lines of both texts, the first masked result among them',
  async (name) => {
    const { store, actions } = createPlayground(spawnInline)
    const text = readFileSync(`public/samples/${name}`, 'utf8')
    actions.openText(text, name, { kind: 'file' })
    for (const windowTurns of [1, 3, 8]) {
      actions.changePolicy({ windowTurns })
      await eventually(() => expect(textPreviewOf(store.getState())).toBeDefined())
      const state = store.getState()
      const conversations = state.read?.model.conversations ?? []
      const masked = applyEdits(text, maskEdits(conversations, decisionsOf(state) ?? []))
      const joined = (pieces: readonly PreviewPiece[]) => pieces.map((piece) => piece.text).join('')
      const { lines = [], shown } = textPreviewOf(state) ?? {}
      const [sources, outputs] = [text.split(/(?<=\n)/), masked.split(/(?<=\n)/)]
      for (const { number, source, output } of lines) {
        expect(joined(source)).toBe(sources[number - 1]?.slice(0, CUT))
        if ((sources[number - 1]?.length ?? 0) < CUT)
          expect(joined(output)).toBe(outputs[number - 1])
      }
      const first = positionAt(lineIndexOf(text), firstMaskedOf(state) ?? 0).line
      expect(shown).toBe(first)
      expect(lines.some(({ number }) => number === first)).toBe(true)
    }
  },
)
