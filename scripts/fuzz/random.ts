/** Random choices that depend on a seed only, so that a failing document can be made again. */
export interface Random {
  /** An integer from 0 to below the limit. */
  readonly below: (limit: number) => number
  readonly chance: (percent: number) => boolean
  readonly pick: <Item>(items: readonly Item[]) => Item
}

/** Mulberry32: https://github.com/cprosche/mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
  }
}
