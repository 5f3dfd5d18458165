/** Old links, one version at a time: each upgrader gives what the next version would have written. */
import type { LinkPair } from './link-pairs'

/** The version this code writes. Raise it only together with an upgrader from the version before. */
export const LINK_VERSION = 2

type Upgrade = (pairs: readonly LinkPair[]) => readonly LinkPair[]

/** Version 1 named a family of models; each stands for one of it. Names that are models themselves stay. */
const MODEL_OF_FAMILY: Readonly<Record<string, string>> = {
  'gpt-oss': 'groq/openai/gpt-oss-120b',
  claude: 'anthropic/claude-sonnet-5',
  gemini: 'google/gemini-2.5-pro',
  deepseek: 'deepseek/deepseek-v4-pro',
  kimi: 'moonshotai/kimi-k2.6',
  qwen: 'openrouter/qwen/qwen3-coder',
  mistral: 'mistral/mistral-large-2512',
}

/** From the version of the key to the one after it. */
const UPGRADES: Readonly<Record<number, Upgrade>> = {
  1: (pairs) =>
    pairs.map(([key, value]) => {
      const isFamily = key === 'm' && Object.hasOwn(MODEL_OF_FAMILY, value)
      return [key, isFamily ? (MODEL_OF_FAMILY[value] as string) : value]
    }),
}

/** Throws unless every version before the present one has its upgrader, and no other has. */
export function checkUpgraders(upgrades: Readonly<Record<number, Upgrade>>, version: number): void {
  const expected = Array.from({ length: version - 1 }, (_, index) => String(index + 1))
  if (Object.keys(upgrades).join() === expected.join()) return
  throw new RangeError(
    `Links have version ${version}; expected upgraders from ${expected.join(', ') || 'none'}, found ${Object.keys(upgrades).join(', ') || 'none'}.`,
  )
}

checkUpgraders(UPGRADES, LINK_VERSION)

/** The pairs of a link as the present version would have written them; newer ones are left as they are. */
export function upgradePairs(pairs: readonly LinkPair[], from: number): readonly LinkPair[] {
  let upgraded = pairs
  for (let version = from; version < LINK_VERSION; version++) {
    upgraded = (UPGRADES[version] as Upgrade)(upgraded)
  }
  return upgraded
}
