/** A text that grows for hours: the page holds what it shows, and nothing of the texts before. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { Conversation } from '@/lib/core/conversation/conversation'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import type { ReadSource } from '../document/document-slice'
import { resultsByMessage } from '../document/message-facts'
import { clearedResults, conversationNotes } from '../document/selectors'
import { changeCountOf } from '../document/shown-document'
import { bytesOf } from '../drafts/describe-draft'
import { chatBodyOf } from '../files/chat-body'
import { createPlayground } from '../playground'
import { sweepOf } from '../policy/policy-view'
import { eventually } from '../testing/eventually'
import { turnOpeners } from '../timeline/window-edge'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const linesOf = (at: number) =>
  turnOf(`call_${at}`, 'a line\n'.repeat(90))
    .map((message) => `${JSON.stringify(message)}\n`)
    .join('')

test('of a text that has grown ten times, no document but the last two is held', async () => {
  const { store, actions } = createPlayground(spawnInline)
  const { getState: get } = store
  actions.openText(`{"role":"user","content":"Go"}\n${linesOf(0)}`, 'a.jsonl', { kind: 'file' })
  const shown: WeakRef<ReadSource>[] = []
  const look = async () => {
    await eventually(() => expect(sweepOf(get())).toBeDefined())
    const state = get()
    const read = state.read as ReadSource
    const conversation = read.model.conversations[0] as Conversation
    for (const factsOf of [clearedResults, conversationNotes, resultsByMessage, turnOpeners])
      factsOf(conversation)
    for (const factsOf of [changeCountOf, chatBodyOf]) factsOf(state, true)
    bytesOf(read.source)
    shown.push(new WeakRef(read))
  }
  await look()
  for (let at = 1; at <= 10; at++) {
    actions.followText(get().source.text + linesOf(at))
    await look()
  }
  // References live until the end of a task.
  await new Promise((resolve) => setTimeout(resolve))
  collect()
  expect(shown.filter((one) => one.deref() !== undefined).length).toBeLessThanOrEqual(2)
})
