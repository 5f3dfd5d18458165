import { Validator } from '@cfworker/json-schema'
import { isJsonObject } from '../conversation/chat-message'

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
    const { valid, errors } = new Validator(schema, '2020-12', false).validate(value)
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

/**
 * By tool name, the schemas of tools as request bodies list them: `function.parameters`, `parameters` or
 * `input_schema`. Others, and texts that are no JSON, give none.
 */
export function toolSchemasByName(toolSchemas: string): ReadonlyMap<string, object> {
  const schemas = new Map<string, object>()
  if (toolSchemas === '') return schemas
  const tools: unknown = JSON.parse(toolSchemas)
  for (const tool of Array.isArray(tools) ? tools : []) {
    if (!isJsonObject(tool)) continue
    const described = isJsonObject(tool.function) ? tool.function : tool
    const { name, parameters, input_schema: inputSchema } = described
    const schema = parameters ?? inputSchema
    if (typeof name === 'string' && isJsonObject(schema)) schemas.set(name, schema)
  }
  return schemas
}
