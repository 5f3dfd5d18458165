/**
 * Risk of a strategy. `none`: only syntax changes. `guess`: the start or end of a string was guessed. `loss`:
 * something was removed, or was missing from the start.
 */
export type RepairRisk = 'none' | 'guess' | 'loss'

/** Every strategy with its risk, in the order listed to the user. */
export const STRATEGIES = {
  serialised_object: 'none',
  concatenated_objects: 'none',
  disjoint_objects: 'guess',
  listed_values: 'guess',
  empty_arguments: 'guess',
  doubled_braces: 'none',
  escaped_quotes: 'none',
  trailing_commas: 'none',
  stray_commas: 'none',
  stray_colons: 'none',
  wide_marks: 'none',
  missing_commas: 'none',
  glued_array_elements: 'guess',
  unclosed_strings: 'guess',
  unopened_strings: 'guess',
  inner_quotes: 'guess',
  doubled_quotes: 'none',
  unclosed_brackets: 'guess',
  unopened_brackets: 'guess',
  stray_brackets: 'guess',
  duplicated_objects: 'none',
  python_literals: 'none',
  python_collections: 'none',
  unquoted_keys: 'none',
  unquoted_values: 'none',
  code_values: 'guess',
  single_quotes: 'none',
  odd_quotes: 'none',
  missing_colons: 'none',
  missing_values: 'guess',
  comments: 'none',
  ellipsis: 'loss',
  fences: 'none',
  call_tags: 'none',
  tagged_arguments: 'guess',
  list_marks: 'none',
  surrounding_text: 'loss',
  stray_words: 'loss',
  control_characters: 'none',
  odd_spaces: 'none',
  bad_escapes: 'none',
  bad_numbers: 'none',
  nan_and_infinity: 'loss',
  truncated_input: 'loss',
  repeated_keys: 'loss',
  wrapped_input: 'guess',
  jsonrepair: 'guess',
  reconstructed_pairs: 'loss',
  reconstructed_tokens: 'loss',
} as const satisfies Readonly<Record<string, RepairRisk>>

export type StrategyName = keyof typeof STRATEGIES

/** The highest risk of all fixes. */
export function riskOf({ fixes }: { readonly fixes: readonly { readonly risk: RepairRisk }[] }) {
  const risks = new Set(fixes.map(({ risk }) => risk))
  return risks.has('loss') ? 'loss' : risks.has('guess') ? 'guess' : 'none'
}

export const STRATEGY_NAMES = Object.keys(STRATEGIES) as readonly StrategyName[]
