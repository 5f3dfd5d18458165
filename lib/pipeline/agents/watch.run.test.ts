/** Agents of the registry, started by `watch`: they finish, and what they send is masked and recorded as one session. */
import { describe, expect, test } from 'vitest'
import { readDocument } from '../../core/formats/read-document'
import { createSessions } from '../../core/replay/sessions'
import { AGENTS } from '../../core/share/exports/agents'
import { IS_LARGE } from '../../core/testing/test-size'
import { membersOf } from '../../core/text/json'
import { countConversation } from '../../core/tokens/count-conversation'
import * as run from './testing/run-agent'
import { watchAgent } from './testing/watch-agent'

const { TURNS, WINDOW } = run
const WATCHED = ['claude', 'codex', 'opencode', 'qwen', 'pi', 'kilo']

describe.runIf(IS_LARGE)('beside the page', () => {
  test.for(AGENTS.filter(({ command, file }) => WATCHED.includes(command) && file === undefined))(
    '$name',
    { timeout: 900_000 },
    async (agent, { skip }) => {
      const installed = await run.install(agent.package)
      if ('problem' in installed) return skip(installed.problem)
      const model = run.RUNS[agent.command]?.models[0] ?? ''
      const seen = await watchAgent(agent, installed.folder, model)
      expect(seen, seen.errors).toMatchObject({
        code: 0,
        output: expect.stringContaining(run.SAID),
      })
      expect(seen.errors).toContain('The page beside the agent: http://127.0.0.1:')
      const bodies = seen.provider.taken.map(membersOf)
      const main = bodies.flatMap((body, at) => (run.isMain(body) ? [at] : []))
      const last = seen.provider.texts[main.at(-1) ?? 0] as string
      // What its tool has read, which is not always all.
      const read = (at: number) => seen.records.join().includes(run.markOf(at, 7))
      const parts = Array.from({ length: TURNS }, (_, at) => at)
      expect(parts.filter(read).length).toBeGreaterThan(TURNS / 2)
      expect(parts.filter((at) => last.includes(run.markOf(at, 7)))).toEqual(
        parts.filter((at) => read(at) && at >= TURNS - WINDOW),
      )
      const sessions = seen.records.map((text) => {
        const { conversations } = readDocument(text)
        const counts = conversations.map((one) => countConversation(one, ({ length }) => length))
        return createSessions(conversations, counts)
      })
      console.log(
        `${agent.name}: ${sessions.map((all) => all.map(({ requests }) => requests.length)).join(' | ')} requests, ${seen.records.map(({ length }) => length)} characters`,
      )
      const whole = sessions.flat().find(({ requests }) => requests.length === TURNS + 1)
      expect(whole?.requests.map(({ usage }) => usage?.inputTokens)).toEqual(
        main.map((at) => seen.provider.usages[at]?.input),
      )
    },
  )
})
