import { describe, expect, test } from 'vitest'
import { describeProblem } from '@/lib/core/words/english'
import { CHAT, fileOf, opened } from '../testing/listed-files'
import { commonFolderOf } from './file-list-rows'
import { fileListCsv } from './file-list-table'

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

describe('the list of files', () => {
  test('as text, has a line per file, the totals, and no formulas', async () => {
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
