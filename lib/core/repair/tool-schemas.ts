import { isJsonObject } from '../conversation/chat-message'

type JsonObject = Readonly<Record<string, unknown>>

/** Where a tool's description holds the schema of its arguments, by format. */
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

/** Lists of tools within a tool: Gemini's declarations, namespaces of the Responses API. */
const LIST_KEYS = ['functionDeclarations', 'function_declarations', 'tools'] as const

/**
 * By tool name, the schemas of tools as request bodies hold them, whichever the format: a list, lists within it, or an
 * object by name. Tools without one, and texts that are no JSON, give none.
 */
export function toolSchemasByName(toolSchemas: string): ReadonlyMap<string, object> {
  const schemas = new Map<string, object>()
  if (toolSchemas === '') return schemas
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
      if (isJsonObject(tool)) addSchema(name, tool, schemas)
    }
  }
}

function addSchema(name: string, tool: JsonObject, schemas: Map<string, object>): void {
  const key = SCHEMA_KEYS.find((candidate) => isJsonObject(tool[candidate]))
  if (key === undefined) return
  const schema = tool[key] as JsonObject
  // The AI SDK wraps a schema that is given as it is, Bedrock every one.
  schemas.set(name, [schema.jsonSchema, schema.json].find(isJsonObject) ?? schema)
}

/** Gemini's `type` is in capitals, and `nullable` stands beside it. */
function asJsonSchema(key: string, value: unknown): unknown {
  if (key === 'type' && typeof value === 'string' && /^[A-Z]{4,7}$/.test(value)) {
    return value.toLowerCase()
  }
  if (!isJsonObject(value) || value.nullable !== true || typeof value.type !== 'string')
    return value
  return { ...value, type: [value.type, 'null'] }
}
