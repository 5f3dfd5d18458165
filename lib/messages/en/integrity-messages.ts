/** What is wrong with a history, and which providers reject it. */
export const integrity = {
  empty: 'Open a conversation to check its history.',
  nothing:
    'Nothing found that a provider rejects: every call has an id of its own and one result directly behind it.',
  title: 'In the original',
  addedTitle: 'Added by masking',
  rejected: 'Rejected by {providers}.',
  undocumented: 'Not documented: {providers}.',
  show: 'Show next',
  showOf: 'Show next: {finding}',
  repair: 'Repair arguments…',
  proven:
    '{strings, plural, =0 {The masked text equals its source, character by character.} one {Compared character by character, the masked text differs from its source in # string, a text of a masked result.} other {Compared character by character, the masked text differs from its source in # strings, all of them texts of masked results.}}',
  refuted:
    'The masked text differs from its source outside the masked results, first at character {offset, number}. This is a bug in this program: do not use the masked text.',
  rules: {
    unanswered_call: '{count, plural, one {# call has} other {# calls have}} no result.',
    mid_turn:
      'The conversation ends before {count, plural, one {# call has its result} other {# calls have their results}}.',
    orphan: '{count, plural, one {# result answers} other {# results answer}} no call.',
    not_behind:
      '{count, plural, one {# result is} other {# results are}} not directly behind {count, plural, one {its call} other {their calls}}.',
    two_results:
      '{count, plural, one {# result answers} other {# results answer}} a call that has one already.',
    repeated_id:
      '{count, plural, one {# call reuses} other {# calls reuse}} the id of an earlier one; masking counts results with that id to the later call.',
    empty_call_id: '{count, plural, one {# call has} other {# calls have}} no id.',
    empty_result_id: '{count, plural, one {# result does} other {# results do}} not name a call.',
    unknown_role: '{count, plural, one {# message has} other {# messages have}} an unknown role.',
    broken_arguments:
      'The arguments of {count, plural, one {# call} other {# calls}} are not a JSON object.',
    missing_reasoning:
      '{count, plural, one {# answer with calls has} other {# answers with calls have}} no reasoning_content, while most have.',
    unsigned_thinking:
      '{count, plural, one {# answer has} other {# answers have}} thinking without a signature.',
    missing_signature:
      '{count, plural, one {# answer with calls has} other {# answers with calls have}} no thoughtSignature, while others have.',
    edited_before_thinking:
      'A masked result precedes the signed thinking of {count, plural, one {# answer} other {# answers}}.',
  },
  isInUse: '{model} is one of them.',
  isNotInUse: '{model}, the model in use, is not one of them.',
  hints: {
    missing_reasoning: 'Only if the model thinks.',
    missing_signature: 'Only by Gemini 3 and later.',
    edited_before_thinking:
      'Only by Claude Fable 5.1 and later, Opus 5.5, Sonnet 5.5 and Haiku 5.5: they check that nothing before their thinking has changed.',
  },
} as const
