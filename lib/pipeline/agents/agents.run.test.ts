/** Every agent of the table, installed from the registry and run through the proxy. */
import { afterAll, describe, expect, test } from 'vitest'
import type { Usage } from '../../core/conversation/conversation'
import { bindsThinking } from '../../core/conversation/reasoning-marks'
import { readDocument } from '../../core/formats/read-document'
import { MESSAGE_LISTS } from '../../core/formats/reading/join-growth'
import { maskDocument } from '../../core/mask/mask-document'
import { createSessions } from '../../core/replay/sessions'
import { AGENTS, type Agent, LIBRARIES } from '../../core/share/exports/agents'
import { IS_LARGE } from '../../core/testing/test-size'
import { itemsOf, type JsonObject, membersOf, parseJson } from '../../core/text/json'
import { countConversation, countRequestTokens } from '../../core/tokens/count-conversation'
import { loadEncoding } from '../../core/tokens/encoding'
import { unmarked } from '../proxy/record-request'
import * as run from './testing/run-agent'

const { TURNS, WINDOW } = run
const rows: Record<string, unknown>[] = []
afterAll(() => console.table(rows))

const cases = AGENTS.flatMap((agent) =>
  (run.RUNS[agent.command]?.models ?? []).map((model) => ({ name: agent.name, agent, model })),
)

describe.runIf(IS_LARGE)('through the proxy', () => {
  test.for(cases)(
    '$name with $model',
    { timeout: 900_000 },
    async ({ name, agent, model }, { skip }) => {
      const installed = await run.install(agent.package)
      if ('problem' in installed) {
        rows.push({ name, model, skipped: installed.problem })
        return skip(installed.problem)
      }
      const [plain, masked] = await Promise.all(
        [false, true].map((isMasked) => run.runAgent(agent, installed.folder, model, isMasked)),
      )
      if (plain === undefined || masked === undefined) return
      const refusals = [...plain.provider.refusals, ...masked.provider.refusals]
      const found = { ...(await cellsOf(masked, agent, model)), refusals: `${refusals}` || '0' }
      rows.push({ name, model, ...found })
      const cells = ['through', 'masked', 'streamed', 'recorded', 'opens', 'counts', 'usage']
      const expected = Object.fromEntries(cells.map((cell) => [cell, 'yes']))
      expect(found, masked.errors.slice(-2000)).toEqual({ ...expected, refusals: '0' })
    },
  )
})

const ASKED: Readonly<Record<string, string>> = {
  openai: `const { choices } = await client.chat.completions.create({ model: 'm', messages: chat })
console.log(choices[0].message.content)`,
  '@anthropic-ai/sdk': `const asked = { model: 'm', max_tokens: 9, messages: blocks }
console.log((await client.messages.create(asked)).content[0].text)`,
  'AI SDK': `import { generateText } from 'ai'
console.log((await generateText({ model: provider.chatModel('m'), messages: parts })).text)`,
  LangChain: `import { coerceMessageLikeToMessage as read } from '@langchain/core/messages'
console.log((await model.invoke(chat.map((one) => read({ ...one, content: one.content ?? '' })))).content)`,
}

describe.runIf(IS_LARGE)('the code of the page', () => {
  test.for([...LIBRARIES])('for $name', { timeout: 300_000 }, async (library, { skip }) => {
    const installed = await run.install(library.package, ['ai@6', '@langchain/core@1'])
    if ('problem' in installed) return skip(installed.problem)
    const asked = await run.runLibrary(library, installed.folder, ASKED[library.name] ?? '')
    expect(asked).toMatchObject({ code: 0, output: `${run.SAID}\n`, errors: '' })
    expect(asked.provider.refusals).toEqual([])
    expect(asked.provider.texts.map((text) => text.split(run.OLD).length - 1)).toEqual([WINDOW])
  })
})

/** What was seen of a masked run: yes, or what was found instead. */
async function cellsOf(seen: run.SeenRun, agent: Agent, model: string) {
  const { provider, summaries, records, code, output } = seen
  const { countTokens } = await loadEncoding('o200k_base')
  const bodies = provider.taken.map(membersOf)
  const main = bodies.flatMap((body, at) => (run.isMain(body) ? [at] : []))
  const texts = main.map((at) => provider.texts[at] as string)
  const logged = summaries.filter(
    ({ status, masking }) => status === 200 && masking !== 'untouched',
  )
  const requests = records.flatMap(requestsIn).filter(run.isMain)
  const shown = requests.map((request) => {
    const text = JSON.stringify(request)
    return plain(parseJson(maskDocument({ ...readDocument(text), text }, run.policyOf(agent)).text))
  })
  const isBound = bindsThinking(model) && run.RUNS[agent.command]?.thinks === true
  const signed = texts.at(-1)?.includes('"signature"') === true
  // The request of a turn has the results of those before.
  // What its tool has read, which is not always all.
  const arrived = requests.map((request) => JSON.stringify(request))
  const has = (turn: number, part: number) => arrived[turn]?.includes(run.markOf(part, 7)) === true
  const kept = texts.map((text, turn) =>
    partsOf(turn, (part) => text.includes(run.markOf(part, 7))),
  )
  const charged = main.map((at) => provider.usages[at])
  const asCharged = charged.map((usage) => [usage?.input, usage?.cached, usage?.output])
  const sent = texts.map((text) => readDocument(text).conversations[0])
  const counts = sent.map(
    (one) => one && countRequestTokens(one.messageTexts, one.toolSchemas, countTokens),
  )
  const read = partsOf(TURNS, (part) => has(TURNS, part)).filter(Boolean).length
  const posts = provider.unknown.filter((path) => path.startsWith('POST'))
  return {
    through: is(
      [code, output.includes(run.SAID), posts, main.length, read > TURNS / 2],
      [0, true, [], TURNS + 1, true],
    ),
    masked: is(
      [kept, shown, isBound && !signed],
      [
        texts.map((_, turn) =>
          partsOf(turn, (part) => has(turn, part) && (isBound || part >= turn - WINDOW)),
        ),
        main.map((at) => plain(bodies[at])),
        false,
      ],
    ),
    streamed: is(
      main.map((at) => spread(logged[at]) > run.PAUSE / 2),
      main.map(() => true),
    ),
    recorded: is(
      records.flatMap(usagesOf).filter(({ length }) => length > TURNS),
      [asCharged],
    ),
    opens: is(resultsIn(seen.session), TURNS),
    counts: is(
      main.map((at) => logged[at]?.tokens?.after),
      counts,
    ),
    usage: is(
      [main.map((at) => factsOf(logged[at]?.usage)), ...usagesOf(seen.session)],
      [asCharged, asCharged],
    ),
  }
}

/** The requests of a recorded session, each with all of its messages. */
function requestsIn(text: string): JsonObject[] {
  const requests: JsonObject[] = []
  for (const line of text.trim().split('\n')) {
    const { request, continues } = membersOf(parseJson(line))
    const own = membersOf(request)
    const last = requests.at(-1)
    const key = MESSAGE_LISTS.find((name) => Array.isArray(own[name])) ?? ''
    const list = [...itemsOf(last?.[key]), ...itemsOf(own[key])]
    requests.push(continues === true ? { ...last, ...own, [key]: list } : own)
  }
  return requests
}

/** Without marks for the cache, which clients move. */
const plain = (value: unknown) => parseJson(JSON.stringify(value, unmarked))

const partsOf = (turn: number, fact: (part: number) => boolean) =>
  Array.from({ length: turn }, (_, part) => fact(part))

const spread = (one: run.SeenRun['summaries'][number] | undefined) =>
  (one?.milliseconds ?? 0) - (one?.firstByte ?? 0)

const factsOf = (usage: Usage | undefined) => [
  usage?.inputTokens,
  usage?.cacheReadTokens,
  usage?.outputTokens,
]

/** The usage of every request, by session. */
function usagesOf(text: string) {
  const { conversations } = readDocument(text)
  const counts = conversations.map((one) => countConversation(one, (part) => part.length))
  return createSessions(conversations, counts).map(({ requests }) =>
    requests.map(({ usage }) => factsOf(usage)),
  )
}

const resultsIn = (text: string) =>
  readDocument(text).conversations.reduce((sum, { results }) => sum + results.length, 0)

function is(found: unknown, expected: unknown): string {
  const [one = '', other = ''] = [found, expected].map((value) => JSON.stringify(value))
  if (one === other) return 'yes'
  const at = [...one].findIndex((sign, index) => sign !== other[index])
  const from = Math.max(0, at - 60)
  return `${one.slice(from, from + 200)} instead of ${other.slice(from, from + 200)}`
}
