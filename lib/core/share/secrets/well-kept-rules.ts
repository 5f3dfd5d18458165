/**
 * The recommended rules of secretlint, kept by their makers: about 25 providers, each by the shape of its keys.
 * https://github.com/secretlint/secretlint, version 12, MIT. They look at plain text, so escapes are undone before.
 */
import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import type { Span } from '../../text/span'

export interface WellKeptFinding extends Span {
  /** The provider, as the rule's name has it, such as `github`. */
  readonly provider: string
}

const PRESET = '@secretlint/secretlint-rule-preset-recommend'
const RULE_PREFIX = /^@secretlint\/secretlint-rule-/

/** What the rules find in a text, in ascending order. */
export async function findByWellKeptRules(text: string): Promise<readonly WellKeptFinding[]> {
  const { messages } = await lintSource({
    source: { filePath: 'text', content: text, contentType: 'text', ext: '' },
    options: { config: { rules: [{ id: PRESET, rule: creator }] } },
  })
  return messages
    .map(({ range: [start, end], ruleId }) => ({
      start,
      end,
      provider: ruleId.replace(RULE_PREFIX, ''),
    }))
    .sort((a, b) => a.start - b.start)
}
