import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test, vi } from 'vitest'
import { sumTotals, totalsOf } from '@/lib/core/mask/measure-request'
import { CHAT_FILES, HAS_CORPUS, SAMPLE_FILES, shortFiles } from '@/lib/core/testing/transcripts'
import { zipOf } from '@/lib/core/testing/zip-of'
import { describeProblem } from '@/lib/core/words/english'
import { conversationOf, isCurrent } from '../document/selectors'
import { measureOf } from '../policy/policy-view'
import { eventually } from '../testing/eventually'
import { CHAT, fileOf, opened } from '../testing/listed-files'
import { openedFileOf, termsKeyOf } from './file-list-rows'
import { fleetFactsOf, isCsvReady, listedSessionsOf, sessionsCsv } from './listed-sessions'

const packed = (members: Readonly<Record<string, string>>) =>
  zipOf(...Object.entries(members).map(([name, text]) => ({ name, bytes: Buffer.from(text) })))

/** The page's totals of the open document: the sum over its conversations. */
async function figuresOfPage({ store, actions }: ReturnType<typeof opened>['playground']) {
  await eventually(() => {
    expect(isCurrent(store.getState())).toBe(true)
    expect(measureOf(store.getState())).toBeDefined()
  })
  const { conversations } = store.getState().read?.model ?? { conversations: [] }
  const totals = conversations.map((conversation, at) => {
    actions.chooseConversation(at)
    const measure = measureOf(store.getState())
    expect(conversationOf(store.getState())).toBe(conversation)
    if (measure === undefined) throw new Error('The conversation is not counted.')
    return totalsOf(conversation, measure)
  })
  return sumTotals(totals)
}

describe('the list of files', () => {
  const files = shortFiles([...SAMPLE_FILES, ...CHAT_FILES.slice(0, 4)], 30_000).filter(
    ({ isSample, format }) => format === 'openai-chat' && (isSample || HAS_CORPUS),
  )

  test('has the figures the page has for each file opened by itself, if everything counts', async () => {
    const { playground, fileList } = opened()
    const change = { neverGrow: true, textParts: true, triggerTokens: 3_000, batchTurns: 2 }
    playground.actions.changePolicy({ windowTurns: 3, ...change })
    const own = CHAT('gpt-4', 'counted in another encoding ö')
    const given = files.map(({ name, path }) => fileOf(name, readFileSync(path)))
    await fileList.actions.openFiles([...given, fileOf('gpt-4.json', own)])
    const listed = fileList.store.getState().files
    expect(listed.length).toBe(files.length + 1)
    for (const { id, name, state } of listed) {
      if (state.state !== 'measured') throw new Error(`${name} is ${state.state}.`)
      await fileList.actions.openFile(id)
      expect(state.measure.totals, name).toEqual(await figuresOfPage(playground))
    }
  })

  test('lists the open document, whose sessions are measured together', async () => {
    const { playground, fileList } = opened()
    const text = ['one', 'two'].map((word) => CHAT('gpt-5', word)).join('\n')
    playground.actions.openText(text, 'runs.jsonl', { kind: 'file' })
    await eventually(() => expect(isCurrent(playground.store.getState())).toBe(true))
    await fileList.actions.listDocument()
    const list = fileList.store.getState()
    const { files, isOpen, fleet } = list
    expect(isOpen).toBe(true)
    expect(files).toMatchObject([{ name: 'runs.jsonl', state: { state: 'measured' } }])
    expect(fleet.state === 'done' && fleetFactsOf(fleet.fleet).sessions).toBe(2)
    expect(playground.store.getState().source.text).toBe(text)

    // The CSV has a line for each session, and no names unless asked for.
    const { sessions } = listedSessionsOf(files)
    const [header, ...lines] = sessionsCsv(sessions, true).trimEnd().split('\r\n')
    expect(header).toMatch(/^session,file,conversation,model,turns,requests,session_cost_before,/)
    expect(lines).toMatchObject(
      [/^1,runs\.jsonl,1,GPT-5,/, /^2,runs\.jsonl,2,GPT-5,/].map((line) =>
        expect.stringMatching(line),
      ),
    )
    expect(sessionsCsv(sessions, false)).not.toContain('runs')
    expect(isCsvReady(list, termsKeyOf(playground.store.getState()))).toBe(true)
    playground.actions.changePolicy({ windowTurns: 9 })
    expect(isCsvReady(list, termsKeyOf(playground.store.getState()))).toBe(false)
  })

  test('counts the files of sub-agents with the session that started them', async () => {
    const line = (agent?: string) =>
      JSON.stringify({
        ...{ type: 'user', sessionId: 's1', ...(agent && { agentId: agent, isSidechain: true }) },
        message: { role: 'user', content: `the task of ${agent ?? 'all'}` },
      })
    const { playground, fileList } = opened()
    await fileList.actions.openFiles([
      fileOf('p/agent-b.jsonl', line('b')),
      fileOf('p/agent-c.jsonl', line('c').replace('s1', 'gone')),
      fileOf('p/agent-d.jsonl', line('d').replace('sessionId', 'id')),
      fileOf('p/s1.jsonl', line()),
      fileOf('p/s1/subagents/agent-a.jsonl', line('a')),
    ])
    const { files } = fileList.store.getState()
    const alone = ['p/agent-c.jsonl', 'p/agent-d.jsonl']
    expect(files.map(({ name }) => name)).toEqual([...alone, 'p/s1.jsonl'])
    await fileList.actions.openFile(files[2]?.id as number)
    expect(playground.store.getState().source.text.split('\n')).toEqual([
      line(),
      line('b'),
      line('a'),
    ])
  })

  test('lists the rows of a Parquet file, packed or not, and reads each when it is needed', async () => {
    const data = ['one', 'two', 'three'].map((text) =>
      JSON.stringify(JSON.parse(CHAT('', text)).messages),
    )
    const columnData = [{ name: 'messages', data, type: 'STRING' as const }]
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 1 }))
    const { playground, fileList } = opened()
    const file = Object.assign(new Blob([bytes]), { name: 'runs.parquet' })
    await fileList.actions.openFiles([{ name: 'runs.parquet', file }])
    await fileList.actions.openFiles([
      fileOf('packed.gz', gzipSync(bytes)),
      fileOf('a.json', CHAT('', 'a')),
    ])
    const { files } = fileList.store.getState()
    const rows = ['runs.parquet', 'packed'].flatMap((name) =>
      [1, 2, 3].map((row) => `${name}/${row}.json`),
    )
    expect(files.map(({ name }) => name)).toEqual([...rows, 'a.json'])
    expect(files.filter(({ state }) => state.state === 'measured')).toHaveLength(7)
    playground.actions.changePolicy({ windowTurns: 2 })
    await fileList.actions.openFile(files[1]?.id ?? 0)
    const { source } = playground.store.getState()
    expect(source.name).toBe('runs.parquet/2.json')
    expect(JSON.parse(source.text).messages).toBe(data[1])
  })

  test('opens a single file directly, packed or not', async () => {
    const { playground, fileList } = opened()
    await fileList.actions.openFiles([fileOf('a.json.gz', gzipSync(CHAT('gpt-5', 'x')))])
    expect(playground.store.getState().source.name).toBe('a.json')
    expect(fileList.store.getState().files).toEqual([])
    await fileList.actions.openFiles([fileOf('b.json', CHAT('gpt-5', 'x'))])
    expect(playground.store.getState().source.name).toBe('b.json')
  })

  test('opens the only transcript of an archive; other files are listed with their problems', async () => {
    const { playground, fileList } = opened()
    const zip = await packed({ 'header.json': '{"a": 1}', 'samples/1.json': CHAT('gpt-5', 'x') })
    await fileList.actions.openFiles([fileOf('run.eval', zip)])
    expect(playground.store.getState().source.name).toBe('run.eval/samples/1.json')
    const list = fileList.store.getState()
    expect(list.files.map(({ state }) => state.state)).toEqual(['failed', 'measured'])
    expect(list.isOpen).toBe(false)
    expect(openedFileOf(list, playground.store.getState())?.name).toBe('run.eval/samples/1.json')
  })

  test('measures and opens a request copied as cURL as its JSON body', async () => {
    const { playground, fileList } = opened()
    const text = CHAT('gpt-5', 'x')
    const copied = `curl 'https://api.example.com/v1/chat' --data-raw '${text}'`
    await fileList.actions.openFiles([fileOf('a.json', text), fileOf('request.txt', copied)])
    const { files } = fileList.store.getState()
    const [plain, request] = files.map(({ state }) =>
      state.state === 'measured' ? state.measure : undefined,
    )
    expect(request).toBeDefined()
    // The sums name the file.
    const withoutSums = (measure: typeof plain) =>
      measure && { ...measure, sessions: measure.sessions.map((one) => ({ ...one, sums: '' })) }
    expect(withoutSums(request)).toEqual(withoutSums(plain))
    await fileList.actions.openFile(files[1]?.id ?? 0)
    await eventually(() => expect(playground.store.getState().source.text).toBe(text))
    expect(openedFileOf(fileList.store.getState(), playground.store.getState())).toBe(files[1])
  })

  test('shows the file that was chosen last, whichever is read first', async () => {
    const { playground, fileList } = opened()
    const slow = fileOf('slow.json', CHAT('gpt-5', 'slow'))
    const arrayBuffer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return slow.file.arrayBuffer()
    }
    await Promise.all([
      fileList.actions.openFiles([{ ...slow, file: { ...slow.file, arrayBuffer } }]),
      fileList.actions.openFiles([fileOf('last.json', CHAT('gpt-5', 'last'))]),
    ])
    expect(playground.store.getState().source.name).toBe('last.json')
  })

  test('replaces archives by their files, and opens none by itself', async () => {
    const { playground, fileList } = opened()
    playground.actions.openText('[{"role":"user","content":"mine"}]', 'mine.json', { kind: 'file' })
    const zip = await packed({ 'a.json': CHAT('gpt-5', 'a'), 'b.json': CHAT('gpt-5', 'b') })
    await fileList.actions.openFiles([
      fileOf('runs.zip', zip),
      fileOf('picture.png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0])),
      fileOf('c.json', CHAT('gpt-5', 'c')),
    ])
    const { files: listed, isOpen, work } = fileList.store.getState()
    expect([isOpen, work]).toEqual([true, undefined])
    expect(playground.store.getState().source.name).toBe('mine.json')
    const stateOf = ({ state }: (typeof listed)[number]) =>
      state.state === 'failed' ? describeProblem(state.problem) : state.state
    expect(listed.map((file) => [file.name, stateOf(file)])).toEqual([
      ['runs.zip/a.json', 'measured'],
      ['runs.zip/b.json', 'measured'],
      ['picture.png', 'The file is a PNG image; expected JSON or JSON Lines.'],
      ['c.json', 'measured'],
    ])
    fileList.actions.step(1)
    await eventually(() => expect(playground.store.getState().source.name).toBe('runs.zip/a.json'))
    fileList.actions.sortBy('name')
    fileList.actions.sortBy('name')
    fileList.actions.step(1)
    await eventually(() => expect(playground.store.getState().source.name).toBe('c.json'))
    playground.actions.undo()
    playground.actions.undo()
    expect(playground.store.getState().source.name).toBe('mine.json')
  })

  test('updates the totals when the policy changes, without reading the files again', async () => {
    const { playground, fileList } = opened()
    const reads = vi.fn()
    const given = ['a', 'b'].map((name) => {
      const { file } = fileOf(name, CHAT('gpt-5', name))
      const arrayBuffer = () => {
        reads()
        return file.arrayBuffer()
      }
      return { name, file: { ...file, arrayBuffer } }
    })
    await fileList.actions.openFiles(given)
    const readsBefore = reads.mock.calls.length
    const masked = () =>
      fileList.store
        .getState()
        .files.map(({ state }) => state.state === 'measured' && state.measure.totals.maskedResults)
    expect(masked()).toEqual([2, 2])
    playground.actions.changePolicy({ windowTurns: 2 })
    await eventually(() => expect(masked()).toEqual([1, 1]))
    expect(reads.mock.calls.length).toBe(readsBefore)
  })

  test('can be stopped and resumed', async () => {
    const { fileList } = opened()
    const given = ['a', 'b', 'c'].map((name) => fileOf(name, CHAT('gpt-5', name)))
    const unsubscribe = fileList.store.subscribe(({ files: [first] }) => {
      if (first?.state.state !== 'measured') return
      unsubscribe()
      fileList.actions.stop()
    })
    await fileList.actions.openFiles(given)
    const states = () => fileList.store.getState().files.map(({ state }) => state.state)
    expect(states()).toContain('waiting')
    expect(fileList.store.getState()).toMatchObject({ isStopped: true, work: undefined })
    fileList.actions.resume()
    await eventually(() => expect(states()).toEqual(['measured', 'measured', 'measured']))
  })
})
