/**
 * A recorded session, run again by a client through the proxy, to a provider with a prefix cache that states its own usage: what
 * it charges, beside what the replay of the session predicts.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { prepareSession } from '../../../lib/core/fleet/measure-sessions'
import { readDocument } from '../../../lib/core/formats/read-document'
import { DEFAULT_POLICY } from '../../../lib/core/policy/policy'
import {
  type CacheFamily,
  cacheFamilyOf,
  policyOfModel,
} from '../../../lib/core/replay/cache-rules'
import { fitSessions } from '../../../lib/core/replay/calibration/calibrate-session'
import { type MaskWindow, NO_WINDOW } from '../../../lib/core/replay/prepare-replay'
import { priceSheet } from '../../../lib/core/replay/price-sheet'
import { replayPrepared } from '../../../lib/core/replay/replay'
import { createSessions, type Session } from '../../../lib/core/replay/sessions'
import { partitionPoint } from '../../../lib/core/text/span'
import { countConversation } from '../../../lib/core/tokens/count-conversation'
import { createProxy } from '../../../lib/pipeline/proxy/create-proxy'
import type { RequestSummary } from '../../../lib/pipeline/proxy/proxy-metrics'
import type { MadeMessage } from './transcripts'

/** Reads at 0.1 and writes at 1.0, from 1,024 tokens, in steps of 128, for an hour. */
const MODEL = 'gpt-5.1'
const FAMILY = cacheFamilyOf(MODEL) as CacheFamily
const STEP = 128
const LEAST = 1024
const LIFETIME = 3_600_000

const WINDOWS: readonly MaskWindow[] = [
  NO_WINDOW,
  { windowTurns: 8, batchTurns: 16 },
  { windowTurns: 8, batchTurns: 'auto' },
]

const READ_PRICE = 0.1
const BYTES_PER_TOKEN = 4

/** What one way to move the window costs, in tokens at the input price, and the requests that it moved in. */
export interface RunCosts {
  readonly charged: number
  readonly predicted: number
  readonly moves: readonly number[]
  readonly predictedMoves: readonly number[]
}

/** A provider of chat completions that answers with the next message of a recording. It knows a token by its four bytes. */
export async function startCachingProvider(recorded: readonly MadeMessage[], clock = Date.now) {
  const known: { body: Buffer; usedAt: number }[] = []
  /** Tokens that an earlier request, used within the lifetime, begins with too. */
  const readTokens = (body: Buffer): number => {
    let most = 0
    for (const earlier of known.toReversed()) {
      if (clock() - earlier.usedAt > LIFETIME || earlier.body.length <= most) continue
      const longest = Math.min(body.length, earlier.body.length)
      const shared = partitionPoint(most, longest, (length) =>
        body.subarray(0, length + 1).equals(earlier.body.subarray(0, length + 1)),
      )
      if (shared > most) earlier.usedAt = clock()
      most = Math.max(most, shared)
    }
    const tokens = Math.floor(most / BYTES_PER_TOKEN / STEP) * STEP
    known.push({ body, usedAt: clock() })
    return tokens >= LEAST ? tokens : 0
  }
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece)
    const { messages } = JSON.parse(Buffer.concat(pieces).toString('utf8'))
    const prompt = Buffer.from(JSON.stringify(messages).slice(0, -1))
    const usage = {
      prompt_tokens: Math.ceil(prompt.length / BYTES_PER_TOKEN),
      prompt_tokens_details: { cached_tokens: readTokens(prompt) },
    }
    const choices = [{ index: 0, finish_reason: 'stop', message: recorded[messages.length] }]
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify({ object: 'chat.completion', model: MODEL, choices, usage }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { url, close: () => new Promise((resolve) => server.close(resolve)) }
}

/** Runs a recording in one way: after each answer the agent adds the results that were recorded behind it. */
async function run(recorded: readonly MadeMessage[], window: MaskWindow) {
  const provider = await startCachingProvider(recorded)
  const requests: RequestSummary[] = []
  const proxy = await createProxy({
    target: new URL(provider.url),
    policy: () => ({ ...DEFAULT_POLICY, ...window, enabled: window.windowTurns > 0 }),
    onRequest: (summary) => requests.push(summary),
    onProblem: (sentence) => {
      throw new Error(sentence)
    },
  })
  const baseURL = `http://127.0.0.1:${await proxy.listen(0)}/v1`
  const client = new OpenAI({ baseURL, apiKey: 'k', maxRetries: 0 })
  const history: ChatCompletionMessageParam[] = []
  let charged = 0
  /** By the message that answers. */
  const usages = new Map<number, object | undefined>()
  while (history.length < recorded.length) {
    while (recorded[history.length]?.role !== 'assistant')
      history.push(recorded[history.length] as ChatCompletionMessageParam)
    const { usage, choices } = await client.chat.completions.create({
      model: MODEL,
      messages: history,
    })
    const { prompt_tokens = 0, prompt_tokens_details: details } = usage ?? {}
    charged += prompt_tokens - (1 - READ_PRICE) * (details?.cached_tokens ?? 0)
    usages.set(history.length, usage)
    history.push(choices[0]?.message as ChatCompletionMessageParam)
  }
  await proxy.close()
  await provider.close()
  return {
    charged,
    usages,
    moves: movesOf(requests.map(({ maskedResults }) => maskedResults ?? 0)),
  }
}

/**
 * Runs a recording in three ways, and replays it in the same, calibrated by the usage of the run without masking. Messages
 * behind its last answer are not sent. A request of this provider finds all that is before a change.
 */
export async function costsThroughProxy(messages: readonly MadeMessage[]): Promise<RunCosts[]> {
  const recorded = messages.slice(0, messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  const countTokens = (text: string) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)
  const read = (list: readonly object[]) => {
    const { conversations } = readDocument(JSON.stringify({ model: MODEL, messages: list }))
    const counts = conversations.map((one) => countConversation(one, countTokens))
    const [session] = createSessions(conversations, counts) as [Session]
    return { session, resultTexts: conversations[0]?.resultTexts ?? [] }
  }
  const runs: Awaited<ReturnType<typeof run>>[] = []
  for (const window of WINDOWS) runs.push(await run(recorded, window))
  const stated = recorded.map((message, at) => ({ ...message, usage: runs[0]?.usages.get(at) }))
  const [fit] = fitSessions([read(stated).session])
  const { session, resultTexts } = read(recorded)
  const policy = policyOfModel({ ...DEFAULT_POLICY, enabled: true }, MODEL)
  const calibration = fit && { ...fit, warmTokens: undefined, readableTokens: undefined }
  const prepared = prepareSession(session, resultTexts, policy, countTokens, calibration)
  const terms = { prices: priceSheet(undefined, FAMILY, { input: 1e6 }), rule: FAMILY.rule }
  return WINDOWS.map((window, at) => {
    const { after, requests } = replayPrepared(prepared, window, terms)
    const { charged = 0, moves = [] } = runs[at] ?? {}
    const predictedMoves = movesOf(requests.map(({ maskedResults }) => maskedResults))
    return { charged, moves, predicted: after.costs.cached ?? Number.NaN, predictedMoves }
  })
}

/** The requests that mask more results than the one before. */
function movesOf(masked: readonly number[]): number[] {
  return masked.flatMap((count, at) => (count > (masked[at - 1] ?? 0) ? [at] : []))
}
