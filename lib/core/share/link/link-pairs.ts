/** Pairs of a link's fragment: `key=value` joined by `&`, each part percent-encoded. */

export type LinkPair = readonly [key: string, value: string]

export interface ReadPairs {
  readonly pairs: readonly LinkPair[]
  /** Parts with invalid percent-encoding; they are not in `pairs`. */
  readonly damaged: readonly string[]
}

/** Writes pairs as a fragment without its `#`. They read back the same, except for lone surrogates. */
export function writePairs(pairs: readonly LinkPair[]): string {
  return pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&')
}

/** Reads a fragment, with or without its `#`. Accepts links that a program encoded completely, or for HTML. */
export function readPairs(fragment: string): ReadPairs {
  const pairs: LinkPair[] = []
  const damaged: string[] = []
  for (const part of unwrapped(fragment.replace(/^#/, '')).split(/&(?:amp;)?/)) {
    if (part === '') continue
    const at = part.indexOf('=')
    const key = decodePart(at === -1 ? part : part.slice(0, at))
    const value = decodePart(at === -1 ? '' : part.slice(at + 1))
    if (key !== undefined && value !== undefined) pairs.push([key, value])
    else damaged.push(part)
  }
  return { pairs, damaged }
}

function unwrapped(fragment: string): string {
  if (fragment.includes('=') || !/^\w+%3D/i.test(fragment)) return fragment
  return decodePart(fragment) ?? fragment
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%2C', ',')
}

/** Decodes a percent-encoded text; undefined if it is invalid. */
export function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'))
  } catch {
    return undefined
  }
}
