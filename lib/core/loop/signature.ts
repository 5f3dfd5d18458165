import { ReadError } from '../problem'
import { canonicalJson } from './canonical-json'

/** Mends malformed arguments; undefined when it cannot. */
export type MendArguments = (text: string) => string | undefined

/**
 * What a call does, whatever its id: its name and its arguments with keys sorted at every depth. Malformed arguments
 * are mended first; where that fails their text counts as it is. No arguments are an empty object.
 */
export function signature(
  call: { readonly name: string; readonly arguments: string },
  mend: MendArguments,
): string {
  return `${JSON.stringify(call.name)}${argumentsKey(call.arguments, mend)}`
}

function argumentsKey(text: string, mend: MendArguments): string {
  if (text.trim() === '') return '{}'
  const own = canonicalOf(text)
  if (own !== undefined) return own
  const mended = mend(text)
  return (mended === undefined ? undefined : canonicalOf(mended)) ?? JSON.stringify(text.trim())
}

function canonicalOf(text: string): string | undefined {
  try {
    return canonicalJson(text)
  } catch (error) {
    if (error instanceof ReadError) return undefined
    throw error
  }
}
