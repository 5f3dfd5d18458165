/** Runs the tool calls of a conversation through the guards of `core/loop`, with real tools and a real clock. */
import { randomUUID } from 'node:crypto'
import { argumentsText } from '../../core/conversation/chat-message'
import type { CallResult } from '../../core/loop/call-result'
import { DEFAULT_LIMITS, type LoopLimits } from '../../core/loop/guards'
import { LOOP_TEXTS, type StyleLanguage } from '../../core/loop/loop-texts'
import type { CheckCall, ExecuteCall, LoopClock, LoopEvent } from '../../core/loop/run-batch'
import { createCallCheck, isFinalEvent, runBatch } from '../../core/loop/run-batch'
import { runMetrics } from '../../core/loop/run-metrics'
import { createArgumentRepair, signature } from '../../core/loop/signature'
import { EMPTY_LOOP, type PendingCall } from '../../core/loop/tool-call-manager'
import { messageOf } from '../../core/problem'
import { repairArguments } from '../../core/repair/repair-arguments'
import { createJobQueue } from '../../core/steps'
import { isJsonObject, type JsonObject, parseJson } from '../../core/text/json'

export interface LoopTool<User = unknown> {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments; they are checked before the tool runs. */
  readonly parameters?: JsonObject
  /** Its value is the result: a string as it is, any other value as JSON. A tool that throws runs again. */
  readonly run: (
    args: JsonObject,
    context: { readonly callId: string; readonly signal: AbortSignal; readonly user: User },
  ) => unknown
}

export interface ToolLoopOptions<User = unknown> {
  readonly tools: readonly LoopTool<User>[]
  /** What tools and `authorize` are told of the user, such as a token. It is neither sent nor stored. */
  readonly user?: User
  /**
   * Asked before each call that nothing else stops, within the time of a call. Unless it gives true, the call is refused as
   * `NOT_AUTHORIZED`, with the sentence that it gives or throws.
   */
  readonly authorize?: (
    call: Pick<Call, 'id' | 'name'> & { readonly arguments: JsonObject },
    user: User | undefined,
  ) => boolean | string | Promise<boolean | string>
  readonly limits?: Partial<LoopLimits>
  readonly clock?: LoopClock
  readonly onEvent?: (event: LoopEvent) => void
  /** Repairs malformed arguments where that loses nothing; otherwise such a call is refused. */
  readonly repair?: boolean
  /** Language of the sentences that refused calls are answered with. */
  readonly language?: StyleLanguage
}

/** The calls, the state and the events of one conversation. */
export type ToolLoop = Readonly<ReturnType<typeof createToolLoop>>

type Call = Pick<PendingCall, 'id' | 'name' | 'arguments'>

const REAL_CLOCK: LoopClock = {
  now: () => Date.now(),
  after: (milliseconds, done) => {
    const timer = setTimeout(done, milliseconds)
    return () => clearTimeout(timer)
  },
}

const ANY_OBJECT = { type: 'object' }

export function createToolLoop<User = unknown>(options: ToolLoopOptions<User>) {
  const { tools, clock = REAL_CLOCK, onEvent, repair = false, language = 'en' } = options
  const { user, authorize } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const texts = LOOP_TEXTS[language]
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const checkSchema = createCallCheck(
    new Map(tools.map(({ name, parameters }) => [name, parameters ?? ANY_OBJECT])),
  )
  const repairOnce = createArgumentRepair()
  const events: LoopEvent[] = []
  let state = EMPTY_LOOP
  const session = randomUUID().slice(0, 8)
  let batches = 0
  let running: AbortController | undefined
  const enqueue = createJobQueue()

  const argumentsOf = (text: string) => {
    if (!repair || objectIn(text) !== undefined) return text
    const { isObject, fixes, text: repaired } = repairArguments(text)
    return isObject && fixes.every(({ risk }) => risk !== 'loss') ? repaired : text
  }
  const check: CheckCall = async (call, sentences) => {
    const { id, name } = call
    const invalid = (sentence: string) => ['INVALID_ARGUMENTS', sentence] as const
    if (!byName.has(name)) return invalid(sentences.noTool(name, [...byName.keys()].join(', ')))
    const args = objectIn(call.arguments)
    if (args === undefined) return invalid(sentences.notAnObject)
    const refused = checkSchema(call, sentences)
    if (refused !== undefined || authorize === undefined) return refused
    let cancel = () => {}
    const given = await Promise.race([
      Promise.resolve().then(() => authorize({ id, name, arguments: args }, user)),
      new Promise<string>((settle) => {
        const { timeout } = limits
        cancel = clock.after(timeout, () => settle(sentences.timeout(timeout / 1000)))
      }),
    ]).catch(messageOf)
    cancel()
    if (given === true) return undefined
    return ['NOT_AUTHORIZED', sentences.notAuthorized(typeof given === 'string' ? given : '')]
  }
  const execute: ExecuteCall = async ({ id: callId, name, arguments: text }) => {
    running = new AbortController()
    const tool = byName.get(name) as LoopTool
    return tool.run(objectIn(text) as JsonObject, { callId, signal: running.signal, user })
  }
  const report = (event: LoopEvent) => {
    // A tool that nobody waits for any more is told so.
    if (isFinalEvent(event) || event.kind === 'retried') running?.abort()
    events.push(event)
    onEvent?.(event)
  }
  const runCalls = async (calls: readonly Call[]): Promise<readonly CallResult[]> => {
    const pending = calls.map((given): PendingCall => {
      const call = { ...given, arguments: argumentsOf(argumentsText(given.arguments)) }
      return { ...call, signature: signature(call, repairOnce) }
    })
    const batch = { id: `batch-${session}-${++batches}`, calls: pending }
    const run = await runBatch(state, batch, execute, clock, limits, report, check, texts)
    state = run.state
    return run.results
  }
  return {
    tools: tools as readonly Omit<LoopTool, 'run'>[],
    language,
    /** Runs the calls of one assistant message. Each has a result afterwards. Batches wait for each other. */
    run: (calls: readonly Call[]) => enqueue(() => runCalls(calls)),
    /** Arguments as a tool receives them: repaired, if the loop repairs and this loses nothing. */
    argumentsOf,
    /** Executions that the guards remember. */
    history: () => state.history,
    metrics: () => runMetrics(events),
  }
}

/** The object that a text is as JSON, `{}` for none; undefined for any other text. */
function objectIn(text: string): JsonObject | undefined {
  const value = parseJson(text.trim() === '' ? '{}' : text)
  return isJsonObject(value) ? value : undefined
}
