import { type SchemaDraft, Validator } from '@cfworker/json-schema'

/** Outcome of validating arguments against the tool's JSON Schema. */
export type ArgumentsCheck =
  | { readonly state: 'fits' }
  | { readonly state: 'differs'; readonly differences: readonly SchemaDifference[] }
  /** The validator rejected the schema. */
  | { readonly state: 'unusable' }

export interface SchemaDifference {
  /** JSON pointer into the arguments, such as `#/limit`; `#` is the root. */
  readonly at: string
  /** The validator's message, in English; a key of the command line's output. */
  readonly said: string
}

const MOST_DIFFERENCES = 5

/** Validates arguments against a schema. No code is compiled, since the page's security policy forbids it. */
export function checkArguments(value: unknown, schema: object): ArgumentsCheck {
  try {
    const { valid, errors } = new Validator(schema, draftOf(schema), false).validate(value)
    if (valid) return { state: 'fits' }
    // The validator also reports each schema around a failing one.
    const leaves = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items')
    const differences = leaves
      .slice(0, MOST_DIFFERENCES)
      .map(({ instanceLocation, error }) => ({ at: instanceLocation, said: error }))
    return { state: 'differs', differences }
  } catch {
    return { state: 'unusable' }
  }
}

/** Version of JSON Schema named in `$schema`; without one, the newest. */
function draftOf(schema: object): SchemaDraft {
  const { $schema: uri } = schema as { readonly $schema?: unknown }
  const version = /draft[-/](?:0?([467])|(2019-09))/.exec(typeof uri === 'string' ? uri : '')
  if (version?.[2] !== undefined) return '2019-09'
  // Version 7 only adds keywords to version 6.
  return version?.[1] === '4' ? '4' : version === null ? '2020-12' : '7'
}
