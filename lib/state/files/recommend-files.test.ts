import { describe, expect, test } from 'vitest'
import { recommendFleet } from '@/lib/core/fleet/recommend-fleet'
import type { SessionSums } from '@/lib/core/fleet/session-line'
import { DEFAULT_ADVICE, sessionCost } from '@/lib/core/replay/recommend'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { describeProblem } from '@/lib/core/words/english'
import { isCurrent } from '../document/selectors'
import { figuresOf, lostUsesOf } from '../policy/policy-view'
import { eventually } from '../testing/eventually'
import { CHAT, fileOf, opened } from '../testing/listed-files'
import { fileListCsv } from './file-list-csv'
import {
  commonFolderOf,
  figureOf,
  figureOfRow,
  fileListTotalsOf,
  shownFilesOf,
} from './file-list-rows'

describe('the list of files', () => {
  test('recommends one setting for the sessions shown, and has the costs that the page has', async () => {
    const { playground, fileList } = opened()
    playground.store.setState({ advice: { ...DEFAULT_ADVICE, smallestWindow: 2 } })
    const long = JSON.stringify({
      model: 'gpt-5',
      messages: Array.from({ length: 60 }, (_, at) =>
        turnOf(`c${at}`, `ledger_${at} ${'row '.repeat(300)}`),
      ).flat(),
    })
    const lines = [CHAT('gpt-4.1', 'one'), CHAT('gpt-4.1', 'two')].join('\n')
    await fileList.actions.openFiles([
      fileOf('long.json', long),
      fileOf('claude.json', CHAT('claude-opus-4-5', 'x')),
      fileOf('two.jsonl', lines),
    ])
    const fleetNow = () => {
      const { fleet } = fileList.store.getState()
      if (fleet.state !== 'done') throw new Error(`The recommendation is ${fleet.state}.`)
      return fleet.fleet
    }
    const measures = () => {
      const { files } = fileList.store.getState()
      return files.flatMap(({ state }) => (state.state === 'measured' ? [state.measure] : []))
    }
    const sums = (measured: ReturnType<typeof measures>) =>
      measured.flatMap(({ sessions }) => sessions.map((one): SessionSums => JSON.parse(one.sums)))
    const { advice } = playground.store.getState()
    const { sum, comparison } = fleetNow()
    expect(sum).toMatchObject({ sessions: 4, unpriced: 0, recommendation: { state: 'mask' } })
    expect({ sum, comparison }).toEqual(await recommendFleet(() => sums(measures()), advice))
    // Applying the setting measures the files again, and gives the sum that was promised.
    if (sum.recommendation.state !== 'mask') throw new Error('It is not recommended to mask.')
    const { point, cost } = sum.recommendation
    const { windowTurns, batchTurns } = point
    playground.actions.changePolicy({ windowTurns, batchTurns, enabled: true })
    await eventually(() => {
      const total = fileListTotalsOf(fileList.store.getState()).row
      expect(figureOfRow(total, 'cachedAfter')).toBeCloseTo(cost, 10)
    })
    expect(fleetNow().sum).toBe(sum)

    for (const [at, { id }] of fileList.store.getState().files.entries()) {
      await fileList.actions.openFile(id)
      await eventually(() => {
        const state = playground.store.getState()
        expect(isCurrent(state)).toBe(true)
        const { before, after } = figuresOf(state) ?? {}
        const [session] = measures()[at]?.sessions ?? []
        expect(session?.cached).toEqual({
          before: before && sessionCost(before),
          after: after && sessionCost(after),
        })
        expect(session?.lostUses).toBe(lostUsesOf(state)?.length)
      })
    }

    const model = measures()[2]?.model
    expect(model).toMatch(/4.1/)
    fileList.actions.setFilter({ model })
    await eventually(() => expect(fleetNow().sum.sessions).toBe(2))
    expect(shownFilesOf(fileList.store.getState()).map(({ name }) => name)).toEqual(['two.jsonl'])
    fileList.actions.setFilter({ model: undefined, length: 'over50' })
    expect(shownFilesOf(fileList.store.getState()).map(({ name }) => name)).toEqual(['long.json'])
    const csv = fileListCsv(fileList.store.getState(), describeProblem).split('\r\n')
    expect(csv[0]).toMatch(/^file,model,turns,requests,charged_cost,.*,recommended_batch,not_read_/)
    expect(csv[1]).toMatch(/^long\.json,GPT-5,60,\d+,,/)
  })
})

test('the total charges an answer once that two files have, as a fork does', async () => {
  const { fileList } = opened()
  const line = (type: string, uuid: string, parentUuid: string | null, message: object) =>
    JSON.stringify({ type, uuid, parentUuid, sessionId: 's', message: { role: type, ...message } })
  const answer = (uuid: string, parent: string) =>
    line('assistant', uuid, parent, {
      id: `msg_${uuid}`,
      model: 'claude-opus-4-5',
      content: [{ type: 'text', text: uuid }],
      usage: { input_tokens: 1000, output_tokens: 10, cache_read_input_tokens: 0 },
    })
  const shared = [line('user', 'u', null, { content: 'go' }), answer('a', 'u')]
  const first = [...shared, line('user', 'v', 'a', { content: 'on' }), answer('b', 'v')]
  const fork = [...shared, line('user', 'w', 'a', { content: 'else' }), answer('c', 'w')]
  // Its input is not stated, so its cost is unknown.
  const unknown = shared
    .join('\n')
    .replace(/"input_tokens":1000,|,"cache_read_input_tokens":0/g, '')
  await fileList.actions.openFiles([
    fileOf('unknown.jsonl', unknown),
    fileOf('first.jsonl', first.join('\n')),
    fileOf('fork.jsonl', fork.join('\n')),
  ])
  await eventually(() => {
    const state = fileList.store.getState()
    const [none, one, other] = state.files.map((file) => figureOf(file, 'charged'))
    expect(one).toBeGreaterThan(0)
    expect(other).toBe(one)
    const total = figureOfRow(fileListTotalsOf(state).row, 'charged')
    expect(none).toBeUndefined()
    expect(total).toBeCloseTo(1.5 * Number(one), 10)
  })
})

test.each([
  [['logs/a.json', 'logs/b.json'], 'logs/'],
  [['logs/one/a.json', 'logs/ones/a.json'], 'logs/'],
  [['logs/one/a.json', 'logs/one/deep/b.json'], 'logs/one/'],
  [['a.json', 'logs/b.json'], ''],
  [['logs/a.json'], 'logs/'],
  [[], ''],
])('of %j the folder that goes without saying is "%s"', (names, folder) => {
  const files = names.map((name, id) => ({ id, name, state: { state: 'waiting' as const } }))
  expect(commonFolderOf(files)).toBe(folder)
})

describe('the list of files as text', () => {
  test('has a line per file, the totals, and no formulas', async () => {
    const { fileList } = opened()
    await fileList.actions.openFiles([
      fileOf('=run,1.json', CHAT('gpt-5', 'x')),
      fileOf('notes.txt', 'hello'),
    ])
    fileList.actions.setView('request')
    const csv = fileListCsv(fileList.store.getState(), describeProblem).split('\r\n')
    expect(csv).toHaveLength(5)
    expect(csv[1]).toMatch(/^"'=run,1\.json",OpenAI [^,]+,1,7,3,3,2,\d+,\d+,[\d.]+,0,$/)
    expect(csv[2]).toMatch(/^notes\.txt,,,,,,,,,,,"?Line 1, column 1/)
    expect(csv[3]).toMatch(/^all,,1,7,3,3,2,/)
  })
})
