/** Pairs of a link's fragment: `key=value` joined by `&`, each part percent-encoded. */
import { ownMember } from '../../text/json'
import MODELS from './first-models.json' with { type: 'json' }

export type LinkPair = readonly [key: string, value: string]

/** Writes pairs as a fragment without its `#`. They read back the same, except for lone surrogates. */
export function writePairs(pairs: readonly LinkPair[]): string {
  return pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&')
}

/** Reads a fragment, with or without its `#`. Accepts links that a program encoded completely, or for HTML. */
export function readPairs(fragment: string) {
  const pairs: LinkPair[] = []
  /** Parts with invalid percent-encoding; they are not in `pairs`. */
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

/** Upgraders for old links, from version 1 on. Each returns the pairs that the next version writes. */
const UPGRADES: readonly ((pairs: readonly LinkPair[]) => readonly LinkPair[])[] = [
  // Version 1 named families of models. Other names stay.
  (pairs) =>
    pairs.map(([key, value]) => {
      return [key, (key === 'm' && ownMember<string>(MODELS, value)) || value]
    }),
]

/** Version this code writes; a further upgrader raises it. */
export const LINK_VERSION = UPGRADES.length + 1

/** Upgrades pairs to the current version. Pairs of a newer version are unchanged. */
export function upgradePairs(pairs: readonly LinkPair[], from: number): readonly LinkPair[] {
  return UPGRADES.slice(from - 1).reduce((upgraded, upgrade) => upgrade(upgraded), pairs)
}
