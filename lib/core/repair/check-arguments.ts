import { type SchemaDraft, Validator } from '@cfworker/json-schema'
import { isJsonObject, type JsonObject, membersOf, parseJson } from '../text/json'

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

/** Keys of a tool that hold the schema of its arguments, by format. */
const SCHEMA_KEYS = [
  // Chat completions, Responses, OpenTelemetry; Gemini and AI SDK up to version 4.
  'parameters',
  'parametersJsonSchema',
  'parameters_json_schema',
  // Anthropic and MCP.
  'input_schema',
  // AI SDK, Codex, Bedrock.
  'inputSchema',
] as const

/** Keys of a tool that hold a list of tools: Gemini's declarations, namespaces of the Responses API. */
const LIST_KEYS = ['functionDeclarations', 'function_declarations', 'tools'] as const

/** Returns schemas by tool name from the tools of any format's request body. Tools without a schema are skipped. */
export function toolSchemasByName(toolSchemas: string): ReadonlyMap<string, object> {
  const schemas = new Map<string, object>()
  // A trace can have tools that are no JSON.
  if (parseJson(toolSchemas) === undefined) return schemas
  addTools(JSON.parse(toolSchemas, asJsonSchema), schemas)
  return schemas
}

function addTools(tools: unknown, schemas: Map<string, object>): void {
  if (Array.isArray(tools)) {
    for (const tool of tools) {
      if (!isJsonObject(tool)) continue
      const described = [tool.function, tool.toolSpec].find(isJsonObject) ?? tool
      if (typeof described.name === 'string') addSchema(described.name, described, schemas)
      for (const key of LIST_KEYS) addTools(tool[key], schemas)
    }
  } else if (isJsonObject(tools)) {
    for (const [name, tool] of Object.entries(tools)) {
      addSchema(name, membersOf(tool), schemas)
    }
  }
}

function addSchema(name: string, tool: JsonObject, schemas: Map<string, object>): void {
  const key = SCHEMA_KEYS.find((candidate) => isJsonObject(tool[candidate]))
  if (key === undefined) return
  const schema = tool[key] as JsonObject
  // The AI SDK wraps some schemas, Bedrock all.
  schemas.set(name, [schema.jsonSchema, schema.json].find(isJsonObject) ?? schema)
}

/** Converts Gemini's schema dialect: its `type` is upper case, and `nullable` is a separate key. */
function asJsonSchema(key: string, value: unknown): unknown {
  if (key === 'type' && typeof value === 'string' && /^[A-Z]{4,7}$/.test(value)) {
    return value.toLowerCase()
  }
  if (!isJsonObject(value) || value.nullable !== true || typeof value.type !== 'string')
    return value
  return { ...value, type: [value.type, 'null'] }
}
