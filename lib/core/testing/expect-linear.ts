import { expect } from 'vitest'

const PARTS = 8
/** With quadratic growth the ratio is the number of parts. */
const MOST_RATIO = 3
/** Shorter times say nothing about their growth. */
const LEAST_MILLISECONDS = 40
/** Another program slows one attempt, not all of them. */
const MOST_ATTEMPTS = 5

/**
 * Expects work on one input to take at most three times as long as on eight inputs with an eighth of its size each.
 * Both allocate as much, so garbage collection slows both. Resolves with the fastest time of the one, in milliseconds of
 * processor time.
 */
export async function expectLinear<Input>(
  makeInput: (factor: number) => Input,
  work: (input: Input) => unknown,
): Promise<number> {
  const parts = Array.from({ length: PARTS }, () => makeInput(1))
  const whole = [makeInput(PARTS)]
  let ratio = Infinity
  let fastest = Infinity
  for (let attempt = 0; attempt < MOST_ATTEMPTS && ratio >= MOST_RATIO; attempt++) {
    const expected = Math.max(LEAST_MILLISECONDS, await processorTime(parts, work))
    const milliseconds = await processorTime(whole, work)
    ratio = milliseconds / expected
    fastest = Math.min(fastest, milliseconds)
  }
  expect(ratio).toBeLessThan(MOST_RATIO)
  return fastest
}

/** Processor time of work on each input, in milliseconds. */
async function processorTime<Input>(
  inputs: readonly Input[],
  work: (input: Input) => unknown,
): Promise<number> {
  const startedAt = process.cpuUsage()
  for (const input of inputs) await work(input)
  const { user, system } = process.cpuUsage(startedAt)
  return (user + system) / 1000
}
