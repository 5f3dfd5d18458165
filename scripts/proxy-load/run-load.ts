/** Sends requests of many agents at once for a time, and checks each answer byte for byte. */
import { Pool } from 'undici'
import { answerTemplate, requestTemplate, withNumber } from './traffic'

export interface LoadResult {
  readonly requests: number
  /** Requests without a whole answer. */
  readonly lost: number
  /** Answers with the bytes of another request. */
  readonly mixed: number
  readonly seconds: number
  /** Milliseconds of each request to the last byte of its answer, in ascending order. */
  readonly times: readonly number[]
}

export async function runLoad(
  origin: string,
  { agents, seconds, onSecond }: { agents: number; seconds: number; onSecond?: () => void },
): Promise<LoadResult> {
  const pool = new Pool(origin, { connections: agents, headersTimeout: 0, bodyTimeout: 0 })
  const [request, answer] = [requestTemplate(), answerTemplate()]
  const times: number[] = []
  let [sent, lost, mixed] = [0, 0, 0]
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  const ask = async (agent: number): Promise<void> => {
    const number = ++sent
    const before = performance.now()
    const expected = withNumber(answer, number)
    let at = 0
    let isSame = true
    try {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: {
          'content-type': 'application/json',
          'x-agent': String(agent),
          'x-request': String(number),
        },
        body: withNumber(request, agent),
      })
      for await (const piece of body as AsyncIterable<Buffer>) {
        isSame &&= piece.equals(expected.subarray(at, at + piece.length))
        at += piece.length
      }
      if (statusCode !== 200 || at !== expected.length) lost++
      else if (!isSame) mixed++
      times.push(performance.now() - before)
    } catch {
      lost++
    }
  }
  const timer = setInterval(() => onSecond?.(), 1000)
  await Promise.all(
    Array.from({ length: agents }, async (_, agent) => {
      while (performance.now() < end) await ask(agent)
    }),
  )
  clearInterval(timer)
  const took = (performance.now() - startedAt) / 1000
  await pool.close()
  times.sort((one, other) => one - other)
  return { requests: sent, lost, mixed, seconds: took, times }
}
