import { describe, expect, test } from 'vitest'
import { inEnglish } from '@/lib/core/words/english'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { openConfig } from './config-file'
import { isConfigName } from './dropped-files'

const CONFIG = '[observation_masking.schema1]\nenabled = true\nwindow_turns = 3\n'

describe('a config opened like any file', () => {
  test('is recognised by its name', () => {
    const names = ['config.toml', 'a/CONFIG.TOML', 'run.json', 'toml']
    expect(names.filter(isConfigName)).toEqual(names.slice(0, 2))
  })

  test('sets the policy as one undo step, and is remembered for exports', () => {
    const playground = createPlayground(spawnInline)
    openConfig(playground, 'config.toml', CONFIG)
    const { policy, config, notices } = playground.store.getState()
    expect(policy).toMatchObject({ enabled: true, windowTurns: 3 })
    expect(config).toEqual({ name: 'config.toml', text: CONFIG })
    expect(notices.map(({ code }) => code)).toEqual(['config_applied'])
    playground.actions.undo()
    expect(playground.store.getState().policy.windowTurns).toBe(8)
  })

  test.each([
    [`${CONFIG}colour = 1\n`, 'config_problems', 'Line 4'],
    ['[server]\n', 'config_failed', 'There is no table'],
    ['[server\n', 'config_failed', 'Line 1'],
  ])('says what is wrong with it: %j', (text, code, reason) => {
    const playground = createPlayground(spawnInline)
    openConfig(playground, 'config.toml', text)
    const [notice] = playground.store.getState().notices
    expect(notice?.code).toBe(code)
    expect(inEnglish(notice?.values.reasons ?? '')).toContain(reason)
  })
})
