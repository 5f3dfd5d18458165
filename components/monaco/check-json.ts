import type { editor } from 'monaco-editor/editor'
import { monaco } from './setup'

/**
 * The JSON worker of the editor's package, spoken to directly: the package's own `jsonMode` brings every feature of
 * the editor in after the first editor exists, and then fails on each service it finds unknown.
 */
interface JsonWorker {
  readonly doValidation: (uri: string) => Promise<readonly Diagnostic[] | null>
}

/** As in the language server protocol; lines and characters count from 0. */
interface Diagnostic {
  readonly message: string
  readonly severity?: number
  readonly range: { readonly start: Place; readonly end: Place }
}

interface Place {
  readonly line: number
  readonly character: number
}

const OWNER = 'json'
const PAUSE_AFTER_CHANGE = 400
const WARNING = 2

/** Schemas are never asked for: a text must not make the page talk to anyone. */
const SETTINGS = {
  languageId: 'json',
  enableSchemaRequest: false,
  languageSettings: {
    validate: true,
    allowComments: false,
    comments: 'error',
    trailingCommas: 'error',
    schemas: [],
    schemaRequest: 'ignore',
    schemaValidation: 'ignore',
  },
}

let client: editor.MonacoWebWorker<JsonWorker> | undefined

function startWorker(): editor.MonacoWebWorker<JsonWorker> {
  const url = new URL('monaco-editor/languages/features/json/json.worker.js', import.meta.url)
  const worker = new Worker(url, { type: 'module' })
  // Its first message wakes it, its second is its settings.
  worker.postMessage('ignore')
  worker.postMessage(SETTINGS)
  return monaco.editor.createWebWorker<JsonWorker>({ worker })
}

export interface JsonCheck {
  /** From now on the text is checked after every pause in its changes, or not at all. */
  readonly want: (isWanted: boolean) => void
  readonly end: () => void
}

/** Underlines what is no JSON, as the JSON worker finds it. */
export function createJsonCheck(model: editor.ITextModel): JsonCheck {
  let isWanted = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const check = async () => {
    const version = model.getVersionId()
    client ??= startWorker()
    await client.withSyncedResources([model.uri])
    const found = await validate(await client.getProxy())
    if (!isWanted || model.isDisposed() || model.getVersionId() !== version) return
    monaco.editor.setModelMarkers(model, OWNER, (found ?? []).map(markerOf))
  }
  const validate = async (worker: JsonWorker) => {
    try {
      return await worker.doValidation(model.uri.toString())
    } catch {
      // It parses by recursion, and thousands of levels overflow its stack; the reading says what is wrong with them.
      return undefined
    }
  }
  const checkSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void check(), PAUSE_AFTER_CHANGE)
  }
  const listening = model.onDidChangeContent(() => {
    if (isWanted) checkSoon()
  })
  return {
    want: (wanted) => {
      if (wanted === isWanted) return
      isWanted = wanted
      clearTimeout(timer)
      if (wanted) checkSoon()
      else monaco.editor.setModelMarkers(model, OWNER, [])
    },
    end: () => {
      isWanted = false
      clearTimeout(timer)
      listening.dispose()
    },
  }
}

function markerOf({ message, severity, range: { start, end } }: Diagnostic): editor.IMarkerData {
  const severities = monaco.MarkerSeverity
  return {
    severity: severity !== undefined && severity >= WARNING ? severities.Warning : severities.Error,
    message,
    startLineNumber: start.line + 1,
    startColumn: start.character + 1,
    endLineNumber: end.line + 1,
    endColumn: end.character + 1,
  }
}
