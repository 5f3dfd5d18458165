import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHAT, fileOf, opened } from '../testing/listed-files'
import { fileComparisonOf } from './compare-files'
import { comparisonKeyOf, shownFilesOf } from './file-list-rows'

const SAMPLES = join(import.meta.dirname, '../../../public/samples')
const LONG = fileOf('long.json', readFileSync(join(SAMPLES, 'data-analysis.json')))
const SHORT = ['a', 'b'].map((name) => fileOf(`${name}.json`, CHAT('gpt-5', name)))

function shownBy({ playground, fileList }: ReturnType<typeof opened>) {
  const { advice, ...terms } = playground.store.getState()
  const list = shownFilesOf({ ...fileList.store.getState(), sorting: undefined })
  return fileComparisonOf(list, comparisonKeyOf(terms), advice.keptShare)
}

test('a filter adds up the files that are compared, without measuring them again', async () => {
  const page = opened()
  const { playground, fileList } = page
  await fileList.actions.openFiles([LONG, ...SHORT])
  expect(shownBy(page)).toMatchObject({ comparison: undefined, readable: 3, done: 0 })
  await fileList.actions.compareMechanisms()
  const all = shownBy(page)
  expect(all).toMatchObject({ done: 3, readable: 3, leftOut: 0, sessions: 3 })

  fileList.actions.setFilter({ length: 'upTo10' })
  // The policy plays no part.
  playground.actions.changePolicy({ windowTurns: 3 })
  const few = shownBy(page)
  expect(few).toMatchObject({ done: 2, readable: 2, sessions: 2 })
  const other = opened()
  await other.fileList.actions.openFiles(SHORT)
  await other.fileList.actions.compareMechanisms()
  expect(few).toEqual(shownBy(other))
  expect(few.comparison?.unchanged.tokens).toBeLessThan(all.comparison?.unchanged.tokens ?? 0)

  // What another model costs is not known yet.
  fileList.actions.setFilter({ length: undefined })
  playground.actions.chooseModel('gpt-4.1')
  expect(shownBy(page)).toMatchObject({ done: 0, readable: 3, comparison: all.comparison })
})

test('a file with an unknown price is left out, unless no price is known', async () => {
  const page = opened()
  const { actions } = page.fileList
  await actions.openFiles([
    fileOf('a.json', CHAT('gpt-5', 'a')),
    fileOf('b.json', CHAT('no-such-model', 'b')),
    fileOf('c.json', CHAT('no-such-model', 'c')),
  ])
  await actions.compareMechanisms()
  expect(shownBy(page)).toMatchObject({ sessions: 1, leftOut: 2 })
  actions.setFilter({
    model: shownFilesOf(page.fileList.store.getState()).flatMap(({ state }) =>
      state.state === 'measured' ? state.measure.model : [],
    )[1],
  })
  const { comparison, ...rest } = shownBy(page)
  expect(rest).toMatchObject({ sessions: 2, leftOut: 0 })
  expect(comparison).toMatchObject({ unchanged: { cost: undefined }, limit: undefined })
  const { rows = [], unchanged } = comparison ?? {}
  expect(rows[0]?.best?.tokens).toBeLessThan(unchanged?.tokens ?? 0)
})

test('a comparison that is stopped goes on where it was', async () => {
  const { fileList } = opened()
  const { actions, store } = fileList
  await actions.openFiles(
    ['a', 'b', 'c'].map((name) => fileOf(`${name}.json`, CHAT('gpt-5', name))),
  )
  const compared = () => store.getState().files.flatMap((file) => file.compared?.output ?? [])
  const unsubscribe = store.subscribe(() => {
    if (compared().length === 1 && store.getState().comparing) actions.stopComparing()
  })
  await actions.compareMechanisms()
  unsubscribe()
  expect(store.getState().comparing).toBeUndefined()
  const [before, ...others] = compared()
  expect(before).toBeDefined()
  expect(others).toEqual([])
  await actions.compareMechanisms()
  expect(compared()).toHaveLength(3)
  expect(compared()[0]).toBe(before)
})
