/** The figures of every mechanism against the requests that it sends, written out and compared with each other. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { createRequestPass } from '../replay/request-pass'
import { prefixTokensOf } from '../replay/sessions'
import { resultOf } from '../steps'
import type { ChatMessage } from '../testing/chat-messages'
import { countQuarters } from '../testing/policies'
import {
  anyMessagesWithUniqueIds,
  anyReusingMessages,
  anySessionMessages,
  flatPrices,
  prefixRule,
  UNCACHED,
} from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { countMessageTokens } from '../tokens/count-conversation'
import { UNCHANGED } from './as-it-ran'
import {
  addFigures,
  bestFigures,
  bestSettings,
  mainCurve,
  sumMeasures,
  triedFigures,
  triedSettings,
} from './best-settings'
import type { SessionHistory } from './history'
import type { ShownFigures } from './measure-mechanism'
import { forgottenResults } from './measure-mechanism'
import { defaultSettings, type MessageEdits, mainRow, mainValues, NO_EDITS } from './mechanism'
import { MECHANISMS } from './mechanisms'
import { mechanismSteps } from './run-mechanism'
import { anySettings } from './testing/any-settings'
import { historiesOf, historyOf, measureMechanism, runMechanism } from './testing/test-history'
import { writeRequest } from './write-request'

const TERMS = { prices: flatPrices(8, 1, 10, 40), rule: prefixRule() }

/** Texts in several parts are counted part by part, and written as one; here each content is one text, and some calls have one. */
const anyPlainMessages = fc.oneof(anyMessagesWithUniqueIds, anyReusingMessages).map((messages) =>
  messages.map((message, at): ChatMessage => {
    const isText = typeof message.content === 'string'
    if (message.role === 'assistant')
      return { ...message, content: at % 3 === 0 ? `step ${at}` : null }
    return isText ? message : { ...message, content: `line ${at}\n`.repeat(1 + (at % 40)) }
  }),
)

/** Tokens of each message of a request as it is written, read and counted again. */
function tokensAsWritten(history: SessionHistory, edits: MessageEdits, request: number) {
  const { messages } = writeRequest(history, edits, request) as { messages: ChatMessage[] }
  const [read] = readDocument(JSON.stringify({ messages }), { format: 'openai-chat' }).conversations
  return (read?.messageTexts ?? []).map((texts) => countMessageTokens(texts, countQuarters))
}

const lengthTextTokens = (tokens: number) => {
  const contents = [`[A summary of ${tokens} tokens]`]
  return countMessageTokens({ role: 'user', name: undefined, contents, calls: [] }, countQuarters)
}

const sumOf = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0)

/** By request: the messages of the conversation, with a key that is equal for what is the same. */
function partsOf(history: SessionHistory, edits: MessageEdits, end: number) {
  const parts = new Map<number, string[]>()
  for (const [at, { message }] of history.messages.slice(0, end).entries())
    parts.set(message, [...(parts.get(message) ?? []), JSON.stringify(edits.get(at) ?? null)])
  return [...parts].map(([message, all]) => `${message} ${all.join()}`)
}

describe.each(MECHANISMS.map((one) => [one.id, one] as const))('%s', (_, mechanism) => {
  const settings = anySettings(mechanism)

  test('a request has the tokens of what is written of it', () => {
    forAll(30, [anyPlainMessages, settings], (messages, chosen) => {
      const history = historyOf(messages)
      const steps = [...mechanismSteps(history, mechanism, chosen)]
      const last = steps.length - 1
      // Every request begins the last one, if nothing is changed.
      const unchanged = tokensAsWritten(history, NO_EDITS, last)
      let saved = 0
      for (const [request, { edits, changed }] of steps.entries()) {
        saved = changed.reduce((sum, { savedMore }) => sum + savedMore, saved)
        if (changed.length === 0 && request < last) continue
        // A summary is written as a text that gives its length.
        const summaries = [...edits.values()].flatMap(({ summary: one }) => one?.tokens ?? [])
        const written = summaries.reduce(
          (sum, tokens) => sum + lengthTextTokens(tokens) - tokens,
          0,
        )
        const whole = sumOf(unchanged.slice(0, history.ends[request]))
        expect(whole - sumOf(tokensAsWritten(history, edits, request)) + written).toBe(saved)
      }
    })
  })

  test('a request reads from the cache what it begins with like an earlier one', () => {
    forAll(30, [fc.oneof(anyPlainMessages, anySessionMessages), settings], (messages, chosen) => {
      for (const history of historiesOf(JSON.stringify(messages))) {
        const { session, ends } = history
        const { counts } = session
        const run = runMechanism(history, mechanism, chosen)
        const prefixTokens = prefixTokensOf(counts.messages, counts.perRequest)
        const found: (readonly [tokens: number, read: number])[] = []
        createRequestPass({ session, prefixTokens }, TERMS, run.changes).run((_, tokens, read) => {
          found.push([tokens, read])
        })
        const sent = run.steps.map(({ edits }, request) =>
          partsOf(history, edits, ends[request] as number),
        )
        const tokensUpTo = (request: number, parts: number) => {
          const edits = run.steps[request]?.edits as MessageEdits
          const numbers = new Set(
            sent[request]?.slice(0, parts).map((part) => Number.parseInt(part, 10)),
          )
          const before = new Map(
            [...edits].filter(([at]) => numbers.has(history.messages[at]?.message ?? -1)),
          )
          const alone = runMechanism(
            { ...history, ends: [ends[request] as number] },
            { ...mechanism, step: (_sent, state) => ({ state, edits: before }) },
            chosen,
          )
          const saved = alone.steps[0]?.changed.reduce((sum, { savedMore }) => sum + savedMore, 0)
          const all = [...numbers].reduce(
            (sum, at) => sum + (counts.messages[at] as number),
            counts.perRequest,
          )
          return all - (saved as number)
        }
        for (const [request, own] of sent.entries()) {
          const shared = sent.slice(0, request).map((earlier) => {
            const differs = earlier.findIndex((part, at) => part !== own[at])
            return differs === -1 ? earlier.length : differs
          })
          const read = request === 0 ? 0 : tokensUpTo(request, Math.max(0, ...shared))
          expect(found[request]).toEqual([tokensUpTo(request, own.length), read])
        }
      }
    })
  })

  test('the cheapest settings are those with the lowest cost of all that are tried', () => {
    forAll(2, [anySessionMessages], (messages) => {
      const sessions = historiesOf(JSON.stringify(messages)).map((history) => ({
        history,
        terms: TERMS,
      }))
      if (sessions.length === 0) return
      const measureOf = (chosen: (typeof all)[number]) =>
        sumMeasures(
          sessions.map(({ history }) => measureMechanism(history, mechanism, chosen, TERMS)),
        ) as ShownFigures
      const costOf = (chosen: (typeof all)[number]) => measureOf(chosen).cost as number
      const { best, keeping } = resultOf(bestSettings(sessions, mechanism, 0.8))
      const row = mainRow(mechanism)
      const most = Math.max(...sessions.map(({ history }) => history.messages.length))
      const curves = row
        ? [best, keeping ?? best, defaultSettings(mechanism)].flatMap((others) =>
            mainValues(row, most).map((value) => ({ ...others, [row.key]: value })),
          )
        : []
      const all = [...triedSettings(mechanism), ...curves]
      expect(costOf(best)).toBeCloseTo(Math.min(...all.map(costOf)), 12)
      const unchanged = sessions.map(({ history }) =>
        measureMechanism(history, UNCHANGED, {}, TERMS),
      )
      const asItIs = sumMeasures(unchanged.map((one) => ({ ...one, forgotten: 0 })))
      expect(costOf(best)).toBeLessThanOrEqual((asItIs?.cost ?? 0) + 1e-12)
      const uses = sessions.reduce((sum, { history }) => sum + history.uses.length, 0)
      const kept = all.filter((chosen) => measureOf(chosen).lostUses <= 0.2 * uses + 1e-9)
      expect(keeping === undefined).toBe(kept.length === 0)
      if (keeping === undefined) return
      expect(costOf(keeping)).toBeCloseTo(Math.min(...kept.map(costOf)), 12)
      expect(measureOf(keeping).lostUses).toBeLessThanOrEqual(0.2 * uses + 1e-9)
    })
  })

  test('the curve over the main setting has what a measure at each of its values has', () => {
    expect(mechanism.rows.filter(({ isMain }) => isMain)).toHaveLength(
      mechanism.id === 'schema1' ? 0 : 1,
    )
    forAll(2, [anySessionMessages, anySettings(mechanism)], (messages, settings) => {
      const [history] = historiesOf(JSON.stringify(messages))
      if (history === undefined) return
      const curve = resultOf(mainCurve({ history, terms: TERMS }, mechanism, settings, 0.8))
      if (curve === undefined) return
      const { key, before, points, best } = curve
      const measured = points.map(({ value }) =>
        measureMechanism(history, mechanism, { ...settings, [key]: value }, TERMS),
      )
      const figures = measured.map(({ settings: { [key]: value }, tokens, cost, lostUses }) => {
        return { value, tokens, cost, lostUses }
      })
      const { value: standard, tried: listed = [] } = mainRow(mechanism) ?? {}
      // With these, no answer has the results that it asked for.
      for (const nothing of [0, 'all'])
        if (standard !== nothing && !listed.includes(nothing))
          expect(points.map(({ value }) => value)).not.toContain(nothing)
      expect(points).toMatchObject(figures)
      const { tokens, cost } = measureMechanism(history, UNCHANGED, {}, TERMS)
      expect(before).toMatchObject({ tokens, cost })
      const most = 0.2 * history.uses.length + 1e-9
      const kept = points.filter((one) => one.lostUses <= most && Number(one.cost) < Number(cost))
      const costs = kept.map((one) => Number(one.cost))
      expect(best?.cost).toBe(costs.length === 0 ? undefined : Math.min(...costs))
    })
  })

  test('figures of sessions measured apart add up to those of the settings found for all together', () => {
    const anyLists = fc.array(anySessionMessages, { minLength: 2, maxLength: 3 })
    forAll(2, [anyLists, fc.boolean()], (lists, isPriced) => {
      const terms = isPriced ? TERMS : { ...TERMS, prices: UNCACHED.prices }
      const sessions = lists.flatMap((messages) =>
        historiesOf(JSON.stringify(messages)).map((history) => ({ history, terms })),
      )
      if (sessions.length === 0) return
      const repeated = [{ result: 0, request: 1 }]
      const apart = sessions.map((one) => resultOf(triedFigures({ ...one, repeated }, mechanism)))
      const uses = sessions.reduce((sum, { history }) => sum + history.uses.length, 0)
      const all = triedSettings(mechanism)
      const figures = addFigures(apart)
      const found = bestFigures(all, figures, uses, 0.8)
      expect(found.measure.settings).toEqual(defaultSettings(mechanism))
      const [spent, lost] = [isPriced ? 0 : 1, 2].map((column) =>
        all.map((_, row) => figures[(row * figures.length) / all.length + column] as number),
      ) as [number[], number[]]
      const spentBy = (one: ShownFigures | undefined) => (isPriced ? one?.cost : one?.tokens)
      expect(spentBy(found.best)).toBe(Math.min(...spent))
      const kept = spent.filter((_, row) => (lost[row] as number) <= 0.2 * uses + 1e-9)
      expect(spentBy(found.keeping)).toBe(kept.length === 0 ? undefined : Math.min(...kept))
      for (const one of [found.measure, found.best, found.keeping]) {
        if (one === undefined) continue
        const { cost, forgotten, settings: chosen, ...counts } = one
        const all = sessions.map(({ history }) =>
          measureMechanism(history, mechanism, chosen, terms),
        )
        const sum = sumMeasures(all) as ShownFigures
        const { cost: expected, band: _, forgotten: __, settings: ___, ...measured } = sum
        expect(counts).toEqual(measured)
        expect(cost === undefined).toBe(!isPriced)
        if (cost !== undefined) expect(cost).toBeCloseTo(expected as number, 12)
        const runs = sessions.map(
          ({ history }) =>
            forgottenResults(history, runMechanism(history, mechanism, chosen), repeated).size,
        )
        expect(forgotten).toBe(runs.reduce((sum, one) => sum + one, 0))
      }
    })
  })
})
