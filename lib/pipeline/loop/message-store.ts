import { appendFile, readFile } from 'node:fs/promises'
import type { SavedMessage } from '../../core/loop/saved-conversation'
import { isJsonObject } from '../../core/text/json-object'

/** The messages of one conversation. Messages that are valid only together are appended together. */
export interface MessageStore {
  readonly read: () => Promise<readonly SavedMessage[]>
  readonly append: (messages: readonly SavedMessage[]) => Promise<void>
}

export function createMemoryStore(messages: readonly SavedMessage[] = []): MessageStore {
  const all = [...messages]
  return {
    read: async () => [...all],
    append: async (added) => void all.push(...added),
  }
}

/** A file with one message a line, which the playground opens. It is created with the first message. */
export function createJsonLinesStore(path: string): MessageStore {
  return {
    read: async () => {
      const lines = (await textOf(path)).split('\n')
      return lines.flatMap((line, at) => (line.trim() === '' ? [] : [readLine(line, path, at + 1)]))
    },
    // One write, so that a call never lacks its results.
    append: (messages) =>
      appendFile(path, messages.map((one) => `${JSON.stringify(one)}\n`).join('')),
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function readLine(line: string, path: string, number: number): SavedMessage {
  const found = parsed(line)
  if (isJsonObject(found) && typeof found.role === 'string') {
    return found as unknown as SavedMessage
  }
  throw new Error(`${path}, line ${number}: expected a message, an object with a "role", as JSON.`)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
