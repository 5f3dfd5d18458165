/**
 * Lines that Kimi CLI writes between the messages of a session; no model receives them:
 * https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/context.py
 */
import type { Usage } from '../../conversation/usage'
import { isJsonObject } from '../../text/json-object'
import { readUsage } from '../reading/read-usage'

export function isKimiMark(value: unknown): boolean {
  return isJsonObject(value) && (value.role === '_usage' || value.role === '_checkpoint')
}

/**
 * The usage of each answer, by the `_usage` lines around it. The line before an answer states the tokens of its input,
 * the line after it those of input and output together.
 */
export function usageOfKimiAnswers(
  values: readonly unknown[],
): ReadonlyMap<unknown, Usage | undefined> {
  const found = new Map<unknown, Usage | undefined>()
  let input: number | undefined
  let answer: unknown
  for (const value of values) {
    if (!isJsonObject(value) || value.role === '_checkpoint') continue
    const tokens = value.role === '_usage' ? readUsage(value, 'kimi')?.totalTokens : undefined
    if (value.role === 'assistant') {
      answer = value
    } else if (tokens !== undefined && answer !== undefined) {
      const isSplit = input !== undefined && tokens >= input
      const parts = isSplit ? { input, output: tokens - Number(input) } : {}
      found.set(answer, readUsage({ token_count: tokens, ...parts }, 'kimi'))
      answer = undefined
      input = undefined
    } else {
      answer = undefined
      input = tokens
    }
  }
  return found
}
