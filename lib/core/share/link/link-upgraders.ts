/** Upgraders for old links, one version at a time. Each returns the pairs the next version would have written. */
import type { LinkPair } from './link-pairs'

/** Version this code writes. Raise it only together with an upgrader from the version before. */
export const LINK_VERSION = 2

type Upgrade = (pairs: readonly LinkPair[]) => readonly LinkPair[]

/** Model for each model family named in version 1. Other names stay. */
const MODEL_OF_FAMILY: Readonly<Record<string, string>> = {
  'gpt-oss': 'groq/openai/gpt-oss-120b',
  claude: 'anthropic/claude-sonnet-5',
  gemini: 'google/gemini-2.5-pro',
  deepseek: 'deepseek/deepseek-v4-pro',
  kimi: 'moonshotai/kimi-k2.6',
  qwen: 'openrouter/qwen/qwen3-coder',
  mistral: 'mistral/mistral-large-2512',
}

/** By the version they upgrade from. */
const UPGRADES: Readonly<Record<number, Upgrade>> = {
  1: (pairs) =>
    pairs.map(([key, value]) => {
      const isFamily = key === 'm' && Object.hasOwn(MODEL_OF_FAMILY, value)
      return [key, isFamily ? (MODEL_OF_FAMILY[value] as string) : value]
    }),
}

/** Throws unless exactly the versions before the current one have an upgrader. */
export function checkUpgraders(upgrades: Readonly<Record<number, Upgrade>>, version: number): void {
  const expected = Array.from({ length: version - 1 }, (_, index) => String(index + 1))
  if (Object.keys(upgrades).join() === expected.join()) return
  throw new RangeError(
    `Links have version ${version}; expected upgraders from ${expected.join(', ') || 'none'}, found ${Object.keys(upgrades).join(', ') || 'none'}.`,
  )
}

checkUpgraders(UPGRADES, LINK_VERSION)

/** Upgrades pairs to the current version. Pairs of a newer version are unchanged. */
export function upgradePairs(pairs: readonly LinkPair[], from: number): readonly LinkPair[] {
  let upgraded = pairs
  for (let version = from; version < LINK_VERSION; version++) {
    upgraded = (UPGRADES[version] as Upgrade)(upgraded)
  }
  return upgraded
}
