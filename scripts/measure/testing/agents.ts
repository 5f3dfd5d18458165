/** Agents that send sessions to a provider or to a proxy in front of it, and what is measured. */
import { Pool } from 'undici'
import { maskRequestBody } from '../../../lib/pipeline/mask-request'
import { ask, EVENTS, hashOf, NONE, NUMBER, UNLIMITED } from './checked-answers'
import { makeMessages, sampledShape } from './transcripts'

/** How many requests a session has before it begins again: each adds a call and its result. */
const REQUESTS = 8

/** Those that the calls of `makeMessages` name. */
const TOOLS = Array.from({ length: 7 }, (_, at) => {
  const parameters = { type: 'object', properties: { path: { type: 'string' } } }
  return { type: 'function', function: { name: `tool_${at}`, parameters } }
})

/** The requests of a session of about one megabyte, which grows; its results differ from agent to agent. */
function requestTemplates() {
  const { turns, resultOf } = sampledShape(60 + REQUESTS / 2, 15_500)
  const messages = makeMessages({ turns, resultOf: (turn) => `${NUMBER} ${resultOf(turn)}` })
  const question = { role: 'user', content: `Agent ${NUMBER}` }
  return Array.from({ length: REQUESTS }, (_, at) => {
    const sent = [question, ...messages.slice(0, messages.length - 2 * (REQUESTS - 1 - at))]
    return JSON.stringify({ model: 'gpt-5', stream: true, tools: TOOLS, messages: sent })
  })
}

/** Returns a function that makes the body of an agent from a template. */
function numbered(template: string): (agent: string) => Buffer {
  const bytes = Buffer.from(template)
  const places: number[] = []
  for (let at = bytes.indexOf(NUMBER); at !== -1; at = bytes.indexOf(NUMBER, at + 1))
    places.push(at)
  return (agent) => {
    const body = Buffer.from(bytes)
    for (const at of places) body.write(agent, at)
    return body
  }
}

/** Looks at the proxy each second while it is used: the bytes of its memory, and its seconds of work. */
export function createWatch(origin: string) {
  const memory: number[] = []
  let processor = 0
  let timer: NodeJS.Timeout | undefined
  const sample = async (): Promise<number> => {
    const metrics = await (await fetch(`${origin}/metrics`)).text()
    const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1])
    memory.push(read('process_resident_memory_bytes'))
    return read('process_cpu_seconds_total')
  }
  return {
    memory,
    processor: () => processor,
    start: async () => {
      processor -= await sample()
      timer = setInterval(() => sample().catch(() => {}), 1000)
    },
    stop: async () => {
      clearInterval(timer)
      processor += await sample()
    },
  }
}

/** Outcomes of requests, and the milliseconds of each to the first and to the last byte of its answer. */
export function createTally() {
  const outcomes = { ...NONE }
  const times: number[] = []
  const firstBytes: number[] = []
  const add = ({ outcome, firstByte, took }: Awaited<ReturnType<typeof ask>>) => {
    outcomes[outcome]++
    times.push(took)
    firstBytes.push(firstByte)
  }
  return { outcomes, times, firstBytes, add }
}

/** Agents that send their sessions to one origin, each once before anything is measured: all requests are then of known sessions. */
export async function createAgents(
  agents: number,
  name: string,
  origin: string,
  enabled?: boolean,
) {
  console.error(name)
  const pool = new Pool(origin, UNLIMITED)
  const requests = requestTemplates().map((template) => ({
    bodyOf: numbered(template),
    maskedOf: numbered(maskRequestBody(template, { enabled: enabled === true }).text),
  }))
  const sessions = Array.from({ length: agents }, (_, index) => {
    const agent = String(index).padStart(NUMBER.length, '0')
    const sha1s = requests.map(({ maskedOf }) => hashOf(maskedOf(agent)))
    let sent = 0
    return () => {
      const at = sent++ % REQUESTS
      return ask(pool, (requests[at] as (typeof requests)[0]).bodyOf(agent), sha1s[at], EVENTS)
    }
  })
  for (let round = 0; round < REQUESTS; round++) await Promise.all(sessions.map((send) => send()))
  const { outcomes, times, firstBytes, add } = createTally()
  // No proxy is in the way of direct requests.
  const proxy = enabled === undefined ? undefined : createWatch(origin)
  let took = 0
  return {
    /** All agents send again and again for some seconds. */
    send: async (seconds: number) => {
      const startedAt = performance.now()
      const isOver = () => performance.now() - startedAt > seconds * 1000
      await proxy?.start()
      const sendAll = async (send: (typeof sessions)[0]) => {
        while (!isOver()) add(await send())
      }
      await Promise.all(sessions.map(sendAll))
      took += (performance.now() - startedAt) / 1000
      await proxy?.stop()
    },
    close: async () => {
      await pool.close()
      const { memory = [], processor = () => 0 } = proxy ?? {}
      return { name, ...outcomes, took, times, firstBytes, memory, processor: processor() }
    },
  }
}
