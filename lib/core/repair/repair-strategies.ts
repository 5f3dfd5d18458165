/**
 * Risk of a strategy. `none`: only syntax changes. `guess`: the start or end of a string was guessed. `loss`:
 * something was removed, or was missing from the start.
 */
export type RepairRisk = 'none' | 'guess' | 'loss'

/** Every strategy with its risk, in the order listed to the user. */
export const STRATEGIES = {
  serialised_object: 'none',
  concatenated_objects: 'none',
  listed_values: 'none',
  empty_arguments: 'none',
  doubled_braces: 'none',
  quoted_object: 'none',
  escaped_quotes: 'none',
  trailing_commas: 'none',
  stray_commas: 'none',
  stray_colons: 'none',
  wide_marks: 'none',
  comma_between_properties: 'none',
  comma_between_values: 'none',
  comma_after_number: 'none',
  comma_after_literal: 'none',
  glued_array_elements: 'none',
  unclosed_strings: 'guess',
  unopened_strings: 'guess',
  inner_quotes: 'guess',
  doubled_quotes: 'none',
  unclosed_arrays: 'none',
  unclosed_objects: 'none',
  unopened_objects: 'none',
  stray_brackets: 'guess',
  value_key: 'none',
  comma_after_brackets: 'none',
  comma_before_brackets: 'none',
  duplicated_objects: 'none',
  python_literals: 'none',
  python_collections: 'none',
  unquoted_keys: 'none',
  single_quoted_keys: 'none',
  unquoted_values: 'none',
  single_quoted_values: 'none',
  odd_quotes: 'none',
  missing_colons: 'none',
  missing_values: 'guess',
  comments: 'none',
  ellipsis: 'loss',
  fences: 'none',
  call_tags: 'none',
  surrounding_text: 'loss',
  stray_words: 'loss',
  control_characters: 'none',
  odd_spaces: 'none',
  bad_escapes: 'none',
  bad_numbers: 'none',
  nan_and_infinity: 'loss',
  truncated_input: 'loss',
  jsonrepair: 'guess',
  reconstructed_pairs: 'loss',
  reconstructed_tokens: 'loss',
} as const satisfies Readonly<Record<string, RepairRisk>>

export type StrategyName = keyof typeof STRATEGIES

export const STRATEGY_NAMES = Object.keys(STRATEGIES) as readonly StrategyName[]
