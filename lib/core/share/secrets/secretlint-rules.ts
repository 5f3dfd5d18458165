/**
 * Runs secretlint's recommended rules for about 25 providers (version 12, MIT). `@secretlint/core` is not used: it
 * compares every finding with every other one, and comments such as `secretlint-disable` in a text turn its rules off.
 * https://github.com/secretlint/secretlint
 */
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import type { Span } from '../../text/span'

interface RuleMatch extends Span {
  /** The provider named by the rule, such as `github`. */
  readonly kind: string
}

/** What these rules use of secretlint's own types. */
interface Rule {
  readonly meta: { readonly id: string }
  readonly create: (
    context: {
      readonly createTranslator: () => () => undefined
      readonly report: (match: { readonly range: readonly [number, number] }) => void
    },
    options: object,
  ) => { readonly file: (source: object) => unknown }
}

const RULE_PREFIX = /^@secretlint\/secretlint-rule-/

const RULES = (rules as readonly unknown[] as readonly Rule[]).filter(
  ({ meta }) => !meta.id.endsWith('-filter-comments'),
)

/** Returns the matches in a text, in ascending order. */
export async function matchSecretlintRules(text: string): Promise<readonly RuleMatch[]> {
  const found: RuleMatch[] = []
  for (const { meta, create } of RULES) {
    const kind = meta.id.replace(RULE_PREFIX, '')
    const report = ({ range: [start, end] }: { readonly range: readonly [number, number] }) => {
      found.push({ start, end, kind })
    }
    const rule = create({ createTranslator: () => () => undefined, report }, {})
    await rule.file({ content: text, filePath: 'text', ext: '' })
  }
  return found.sort((a, b) => a.start - b.start)
}
