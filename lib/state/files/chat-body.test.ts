import { describe, expect, test } from 'vitest'
import type { ReadSource } from '../document/document-slice'
import { chatFileName } from './chat-body'

describe('the name of a conversation saved as chat completions', () => {
  const name = (source: string, conversations: number, isMasked: boolean, conversation = 0) => {
    const read = {
      source: { name: source },
      model: { conversations: Array.from({ length: conversations }) },
    } as unknown as ReadSource
    return chatFileName({ read, conversation }, isMasked)
  }

  test.each([
    [name('run.json', 1, false), 'run.openai-chat.json'],
    [name('run.v2.jsonl', 3, true, 1), 'run.v2.2.masked.openai-chat.json'],
    [name('', 1, true), 'conversation.masked.openai-chat.json'],
  ])('%s', (found, expected) => {
    expect(found).toBe(expected)
  })
})
