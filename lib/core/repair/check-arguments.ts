import { type SchemaDraft, Validator } from '@cfworker/json-schema'

/** Whether arguments are what the tool's schema asks for. Nothing is changed by it. */
export type ArgumentsCheck =
  | { readonly state: 'fits' }
  | { readonly state: 'differs'; readonly differences: readonly SchemaDifference[] }
  /** The schema itself cannot be used. */
  | { readonly state: 'unusable' }

export interface SchemaDifference {
  /** Where in the arguments, such as `#/limit`; `#` is the whole. */
  readonly at: string
  /** What the validator says, in English. */
  readonly said: string
}

const MOST_DIFFERENCES = 5

/** Validates without compiling code, which the page's policy forbids. */
export function checkArguments(value: unknown, schema: object): ArgumentsCheck {
  try {
    const { valid, errors } = new Validator(schema, draftOf(schema), false).validate(value)
    if (valid) return { state: 'fits' }
    // The validator also names each schema that holds a failing one.
    const leaves = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items')
    const differences = leaves
      .slice(0, MOST_DIFFERENCES)
      .map(({ instanceLocation, error }) => ({ at: instanceLocation, said: error }))
    return { state: 'differs', differences }
  } catch {
    return { state: 'unusable' }
  }
}

/** The version of JSON Schema that the schema says it is in; the newest where it says none. */
function draftOf(schema: object): SchemaDraft {
  const { $schema: said } = schema as { readonly $schema?: unknown }
  const version = /draft[-/](?:0?([467])|(2019-09))/.exec(typeof said === 'string' ? said : '')
  if (version?.[2] !== undefined) return '2019-09'
  // What changed from 6 to 7 only adds words.
  return version?.[1] === '4' ? '4' : version === null ? '2020-12' : '7'
}
