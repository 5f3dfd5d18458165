/** A session of 20 turns on a page whose worker runs in this thread. */
import { expect } from 'vitest'
import { replay } from '@/lib/core/replay/replay'
import { createSession } from '@/lib/core/replay/sessions'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import type { QuestionName } from '@/lib/worker/jobs'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import type { SpawnWorker } from '@/lib/worker/worker-client'
import { familyOf } from '../costs/chosen-model'
import { costTermsOf } from '../costs/cost-terms'
import { conversationOf, countsOf, textOfResult } from '../document/selectors'
import { applySettings } from '../link/settings-url'
import { createPlayground } from '../playground'
import { sweepOf } from '../policy/policy-view'
import type { PlaygroundState } from '../store'
import { eventually } from './eventually'

export const turn = (at: number, lines: number) =>
  turnOf(`call_${at}`, `line ${at} of some output\n`.repeat(lines), 'read', `{"at":${at}}`)

export const MESSAGES = [
  { role: 'system', content: 'You are a careful agent.' },
  { role: 'user', content: 'Look at all of it.' },
  ...Array.from({ length: 20 }, (_, at) => turn(at, 100 + at)).flat(),
  { role: 'assistant', content: 'All of it was looked at.' },
]
export const SESSION = JSON.stringify(MESSAGES)

/** The inline worker, and the names of the questions it receives, each once. */
export function recorder() {
  const asked = new Map<number, QuestionName>()
  const spawn: SpawnWorker = (encoding) => {
    const worker = spawnInline(encoding)
    const { postMessage } = worker
    worker.postMessage = (message) => {
      if ('wanted' in message)
        for (const { id, name } of message.wanted.questions) asked.set(id, name)
      postMessage(message)
    }
    return worker
  }
  return { asked: (name: QuestionName) => [...asked.values()].filter((one) => one === name), spawn }
}

export async function opened(text = SESSION, spawn: SpawnWorker = spawnInline, fragment = '') {
  const playground = createPlayground(spawn)
  applySettings(playground, fragment)
  playground.actions.openText(text, 'session.json', { kind: 'file' })
  await swept(playground)
  return playground
}

/** Waits until the sweep is there. */
export async function swept({ store }: ReturnType<typeof createPlayground>) {
  await eventually(() => expect(sweepOf(store.getState())).toBeDefined())
}

/** The replay that the core makes of the open session. */
export async function replayedApart(state: PlaygroundState) {
  const encoding = await loadEncoding(familyOf(state).encoding)
  const conversation = conversationOf(state) as NonNullable<ReturnType<typeof conversationOf>>
  const counts = countsOf(state)?.[0] as NonNullable<ReturnType<typeof countsOf>>[number]
  const terms = costTermsOf(state)?.terms as NonNullable<ReturnType<typeof costTermsOf>>['terms']
  const sources = {
    textOf: (index: number) =>
      textOfResult(state.source.text, conversation.results[index] ?? { spans: [], duplicates: 0 }),
    placeholderTokensOf: (_: number, text: string) => encoding.countTokens(text),
  }
  return replay(createSession(conversation, counts), state.policy, sources, terms)
}
