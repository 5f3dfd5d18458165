import { expect, test } from 'vitest'
import {
  CHAT_FILES,
  readTranscript,
  SAMPLE_FILES,
  shortFiles,
} from '@/lib/core/testing/transcripts'
import { refetchedOf, sweepOf } from '../policy/policy-view'
import { openedOnce } from '../testing/eventually'
import { adviceOf, isWindowTooShort, recommendationOf } from './session-advice'

test.each(shortFiles([...SAMPLE_FILES, ...CHAT_FILES], 45_000))(
  'no window under the smallest is called the best: $name',
  async (file) => {
    const { store, actions } = await openedOnce(
      (state) => sweepOf(state) && refetchedOf(state),
      readTranscript(file),
    )
    const { smallestWindow } = store.getState().advice
    const recommended = recommendationOf(store.getState())?.state
    for (const windowTurns of [1, 2, smallestWindow - 1, smallestWindow, smallestWindow + 1]) {
      for (const batchTurns of [1, 8, 32]) {
        actions.changePolicy({ enabled: true, windowTurns, batchTurns })
        const isShort = windowTurns < smallestWindow
        expect(isWindowTooShort(store.getState())).toBe(isShort)
        if (isShort && recommended === 'mask') expect(adviceOf(store.getState())).toBe('use')
      }
    }
    actions.changePolicy({ enabled: false, windowTurns: 1 })
    expect(isWindowTooShort(store.getState())).toBe(false)
  },
)
