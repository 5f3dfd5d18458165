/** The mechanism of Gemini CLI does what its package does, which large tests install from the registry. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { geminiCliMask } from '../../core/mechanisms/gemini-cli-mask'
import type { HistoryMessage, SessionHistory } from '../../core/mechanisms/history'
import { mechanismSteps } from '../../core/mechanisms/run-mechanism'
import { historiesOf } from '../../core/mechanisms/testing/test-history'
import { IS_LARGE } from '../../core/testing/test-size'
import {
  CORPUS_FILES,
  readTranscript,
  SAMPLE_FILES,
  shortFiles,
} from '../../core/testing/transcripts'
import { install } from './testing/run-agent'

const SERVICE = 'node_modules/@google/gemini-cli-core/dist/src/context/toolOutputMaskingService.js'

/** A random number whose name for a file is as long as most are. */
const RANDOM = 0.5544937868843798

interface Part {
  readonly text?: string
  readonly functionResponse?: {
    readonly id: string
    readonly name: string
    readonly response: { readonly output: string }
    /** Position in the history. */
    readonly at: number
  }
}

interface Content {
  readonly role: 'user' | 'model'
  readonly parts: Part[]
}

interface Service {
  mask(history: Content[], config: object): Promise<{ newHistory: Content[] }>
}

/** What the package adds to its history for these messages: results in a row, and the text of their message, are one content. */
function contentsOf(messages: readonly HistoryMessage[], from: number): Content[] {
  const contents: Content[] = []
  for (const [index, message] of messages.entries()) {
    const { role, content, callId, result, toolName = '' } = message
    const part: Part =
      role === 'tool'
        ? {
            functionResponse: {
              ...{ id: callId ?? String(result), name: toolName },
              ...{ response: { output: content }, at: from + index },
            },
          }
        : { text: content }
    const before = messages[index - 1]
    const isSame =
      before !== undefined &&
      (before.message === message.message || (role === 'tool' && before.role === 'tool'))
    if (isSame) contents.at(-1)?.parts.push(part)
    else contents.push({ role: role === 'assistant' ? 'model' : 'user', parts: [part] })
  }
  return contents
}

/** Contents of results by their position, without the name of the file. */
function outputsOf(contents: readonly Content[]): [number, string][] {
  const responses = contents.flatMap(({ parts }) =>
    parts.flatMap(({ functionResponse }) => functionResponse ?? []),
  )
  return responses.map(({ at, response }) => [at, withoutPath(response.output)])
}

const withoutPath = (text: string) =>
  text.replace(/(?<=\nOutput too large. Full output available at: ).*(?=\n<\/)/, 'path')

async function compare(service: Service, history: SessionHistory, chosen: object, folder: string) {
  const settings = { ...chosen } as Record<string, number | boolean>
  const config = {
    getToolOutputMaskingConfig: async () => settings,
    getSessionId: () => '00000000-0000-4000-8000-000000000000',
    getUsageStatisticsEnabled: () => false,
    storage: { getProjectTempDir: () => folder },
  }
  let [kept, known, changed]: [Content[], number, number] = [[], 0, 0]
  let request = 0
  for (const { edits } of mechanismSteps(history, geminiCliMask, settings)) {
    const end = history.ends[request++] as number
    const all = [...kept, ...contentsOf(history.messages.slice(known, end), known)]
    const { newHistory } = await service.mask(all.slice(0, -1), config)
    kept = [...newHistory, ...all.slice(-1)]
    known = end
    const ours = history.messages.slice(0, end).flatMap(({ role, content }, at) => {
      const sent = edits.get(at)?.content ?? content
      return role === 'tool' ? [[at, withoutPath(sent)]] : []
    })
    expect(ours, `request ${request}`).toEqual(outputsOf(kept))
    if (edits.size > 0) changed++
  }
  return changed
}

describe.runIf(IS_LARGE)('ToolOutputMaskingService', () => {
  test.for([
    {
      protectionThresholdTokens: 50_000,
      minPrunableThresholdTokens: 30_000,
      protectLatestTurn: true,
    },
    { protectionThresholdTokens: 1_000, minPrunableThresholdTokens: 500, protectLatestTurn: true },
    { protectionThresholdTokens: 200, minPrunableThresholdTokens: 2_000, protectLatestTurn: false },
    { protectionThresholdTokens: 0, minPrunableThresholdTokens: 1, protectLatestTurn: true },
  ])('%o', { timeout: 900_000 }, async (settings, { skip }) => {
    const installed = await install('@google/gemini-cli-core@0.61.0')
    if ('problem' in installed) return skip(installed.problem)
    const { ToolOutputMaskingService } = await import(
      /* @vite-ignore */ pathToFileURL(join(installed.folder, SERVICE)).href
    )
    vi.spyOn(Math, 'random').mockReturnValue(RANDOM)
    vi.spyOn(console, 'debug').mockReturnValue()
    // As long as the folder of the mechanism: the length of the path decides whether a mask is shorter.
    const folder = mkdtempSync(join(tmpdir(), 'm'.padEnd(23 - tmpdir().length, 'm')))
    let changed = 0
    for (const file of shortFiles([...SAMPLE_FILES, ...CORPUS_FILES], 1_000_000)) {
      const text = readTranscript(file)
      if (text.length > 1_000_000) continue
      for (const history of historiesOf(text))
        changed += await compare(new ToolOutputMaskingService(), history, settings, folder)
    }
    rmSync(folder, { recursive: true })
    if (settings.protectionThresholdTokens < 50_000) expect(changed).toBeGreaterThan(20)
  })
})
