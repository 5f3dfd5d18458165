/** Repairs and masks the body of a request: here if it is short, in a thread if it is long. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type MaskPolicy, needsCounts } from '../../core/policy/policy'
import { type RepairMetrics, repairDocumentInSteps } from '../../core/repair/repair-document'
import { repairEdits } from '../../core/repair/repair-edits'
import { riskOf } from '../../core/repair/repair-strategies'
import { type Edit, type Offset, piecesAfter } from '../../core/text/span'
import type { Arrival, KnownSession, MaskMemory } from '../mask-memory'
import type { DecidedRequest, MaskOptions, ReadRequest } from '../mask-request'
import { arrivalOf, decideRequest, isOff } from '../mask-request'
import { readBytes } from '../read-grown-request'
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
export function sentAsItCame(masking: ChangeReport['masking']): RequestChange {
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
  readonly reader: (body: Uint8Array) => ReadRequest | undefined
  readonly counter: Pick<RequestCounter, 'prepare'>
  /** That of another thread takes its time. */
  readonly memory?: Pick<MaskMemory, 'remember'> & {
    readonly arrive: (...arrival: Arrival) => KnownSession | Promise<KnownSession | undefined>
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
    let sent = body
    let read = reader(body)
    let repairs: RepairMetrics | undefined
    let repairedCalls = 0
    if (repair && read !== undefined) {
      const { calls, metrics } = await repairInTurns(body, read)
      const edits = repairEdits(
        calls.filter(({ result }) => repairLoss || riskOf(result) !== 'loss'),
      )
      repairs = metrics
      if (!shadow && edits.length > 0) {
        repairedCalls = edits.length
        sent = edited(body, edits)
        read = readBytes(sent)
      }
    }
    if (read === undefined) return sentAsItCame('unread')
    const { decided, edits, report } = isOff(policy)
      ? { ...sentAsItCame('unchanged'), edits: [] }
      : await decide(read)
    const masked = edits.length === 0 ? sent : edited(sent, edits)
    const changed = shadow ? body : masked
    return {
      body: changed === body ? undefined : changed,
      decided,
      report: {
        ...report,
        ...(decided && { jsonBytes: { before: sent.length, after: masked.length } }),
        ...{ repairedCalls, repairs, maskingTime: performance.now() - startedAt },
      },
    }
  } catch {
    return sentAsItCame('unread')
  }

  async function decide(read: ReadRequest) {
    const countTokens = needsCounts(policy)
      ? (await counter.prepare(read.conversation)).countTokens
      : undefined
    const arrival = arrivalOf(read, policy, options)
    const known = await memory?.arrive(...arrival)
    const { report, ...others } = decideRequest(read, policy, arrival, {
      ...{ ...options, countTokens },
      memory: memory && known && { ...memory, arrive: () => known },
    })
    const { outcome, maskedResults, reasons, window, resultCharacters } = report
    const masking = outcome === 'masked' && shadow ? 'shadow' : outcome
    const { report: nothing } = sentAsItCame(masking)
    return { ...others, report: { ...nothing, maskedResults, reasons, window, resultCharacters } }
  }
}

/** The bytes of a body after edits, whose places are in bytes. */
function edited(body: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const slice = (start: Offset, end?: Offset) => body.subarray(start, end)
  const written = edits.map(({ text, ...span }) => ({ ...span, text: Buffer.from(text) }))
  return Buffer.concat(piecesAfter<Uint8Array>({ length: body.length, slice }, written))
}

/** Repairs call by call; other requests get their turn between two. What is left at a limit stays as it is. */
async function repairInTurns(body: Uint8Array, { conversation, format }: ReadRequest) {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const slice = (start: Offset, end?: Offset) => bytes.toString('utf8', start, end)
  const text = { length: body.length, slice }
  const steps = repairDocumentInSteps({ text, format, conversations: [conversation] })
  let step = steps.next()
  for (; !step.done; step = steps.next()) await nextTurn()
  return step.value
}
