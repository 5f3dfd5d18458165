import { isJsonObject, type JsonObject, membersOf } from '../text/json-object'

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
