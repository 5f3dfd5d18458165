/** Repairs and masks the body of a request: here if it is short, in a thread if it is long. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type MaskPolicy, needsCounts } from '../../core/policy/policy'
import { type RepairMetrics, repairDocumentInSteps } from '../../core/repair/repair-document'
import { repairEdits } from '../../core/repair/repair-edits'
import { riskOf } from '../../core/repair/repair-strategies'
import { decodeAnyUtf8 } from '../../core/text/decode-utf8'
import { applyEdits } from '../../core/text/span'
import type { Arrival, KnownSession, MaskMemory } from '../mask-memory'
import type { DecidedRequest, MaskOptions, ReadRequest } from '../mask-request'
import { arrivalOf, isOff, maskRequestBody, readRequest } from '../mask-request'
import type { RequestCounter } from './count-request'
import type { ChangeReport } from './proxy-metrics'

/** What becomes of the body of a request. */
export interface RequestChange {
  /** The body to send where it differs from the one that came. */
  readonly body: Uint8Array | undefined
  /** What was decided; undefined if it was not read. */
  readonly decided: DecidedRequest | undefined
  readonly report: ChangeReport
}

/** A request that is sent as it came. */
export function sentAsItCame(masking: 'unread' | 'untouched' | 'unchanged'): RequestChange {
  const nothing = { maskedResults: 0, reasons: {}, repairedCalls: 0 }
  const unknown = { window: undefined, repairs: undefined, maskingTime: undefined }
  const sizes = { resultCharacters: undefined, jsonBytes: undefined }
  const report = { masking, ...nothing, ...unknown, ...sizes }
  return { body: undefined, decided: undefined, report }
}

/** What a thread can be told, too. */
export interface ChangeSettings extends Pick<MaskOptions, 'maskCompactions'> {
  /** Repairs malformed arguments of tool calls before masking. */
  readonly repair?: boolean | undefined
  /** Sends repairs that lost something, too; otherwise such arguments stay as they came. */
  readonly repairLoss?: boolean | undefined
  /** Counts what would be masked, and sends requests as they came. */
  readonly shadow?: boolean | undefined
}

interface ChangeOptions extends ChangeSettings, Pick<MaskOptions, 'header'> {
  /** That of `createRequestReader`. */
  readonly reader: typeof readRequest
  readonly counter: Pick<RequestCounter, 'prepare'>
  /** That of another thread takes its time. */
  readonly memory?: Pick<MaskMemory, 'remember'> & {
    readonly arrive: (...arrival: Arrival) => KnownSession | Promise<KnownSession>
  }
}

/** Repairs and masks a body; one that is no conversation, or that cannot be read, is sent as it came. */
export async function changeRequest(
  body: Uint8Array,
  policy: MaskPolicy,
  { repair, repairLoss, shadow, reader, counter, memory, ...options }: ChangeOptions,
): Promise<RequestChange> {
  const startedAt = performance.now()
  try {
    const came = decodeAnyUtf8(body)
    let sent = came
    let read = reader(came)
    let repairs: RepairMetrics | undefined
    let repairedCalls = 0
    if (repair && read !== undefined) {
      const { calls, metrics } = await repairInTurns(came, read)
      const edits = repairEdits(
        calls.filter(({ result }) => repairLoss || riskOf(result) !== 'loss'),
      )
      repairs = metrics
      if (!shadow && edits.length > 0) {
        repairedCalls = edits.length
        sent = applyEdits(came, edits)
        read = readRequest(sent)
      }
    }
    if (read === undefined) return sentAsItCame('unread')
    const countTokens = needsCounts(policy)
      ? (await counter.prepare(read.conversation)).countTokens
      : undefined
    const arrival = isOff(policy) ? undefined : arrivalOf(read, policy, options)
    const known = arrival && (await memory?.arrive(...arrival))
    const masked = maskRequestBody(sent, policy, {
      ...{ ...options, countTokens, read, arrival },
      bytes: sent === came ? body.length : undefined,
      memory: memory && known && { ...memory, arrive: () => known },
    })
    const { maskedResults, outcome, reasons, window, resultCharacters, jsonBytes } = masked.report
    if (outcome === 'failed' || outcome === 'no_request') return sentAsItCame('unread')
    const became = shadow ? 'shadow' : 'masked'
    return {
      body: shadow || masked.text === came ? undefined : Buffer.from(masked.text),
      decided: masked.decided,
      report: {
        masking: outcome === 'masked' ? became : outcome === 'off' ? 'unchanged' : outcome,
        maskedResults,
        reasons,
        ...{ window, resultCharacters, jsonBytes },
        repairedCalls,
        repairs,
        maskingTime: performance.now() - startedAt,
      },
    }
  } catch {
    return sentAsItCame('unread')
  }
}

/** Repairs call by call; other requests get their turn between two. What is left at a limit stays as it is. */
async function repairInTurns(text: string, { conversation, format }: ReadRequest) {
  const document = { text, format, conversations: [conversation] }
  const steps = repairDocumentInSteps(document)
  let step = steps.next()
  for (; !step.done; step = steps.next()) await nextTurn()
  return step.value
}
