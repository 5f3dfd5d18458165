import type { editor } from 'monaco-editor/editor'
import type { PutIntoWords } from '../language-provider'
import { monaco } from './setup'

/**
 * Checks JSON with the JSON worker of the editor's package. The package's `jsonMode` is not used: it imports every
 * editor feature after the first editor exists, then throws for each service that comes too late.
 */
interface JsonWorker {
  readonly doValidation: (uri: string) => Promise<readonly Diagnostic[] | null>
}

/** As in the language server protocol: lines and characters count from 0. */
interface Diagnostic {
  readonly message: string
  readonly severity?: number
  readonly range: Readonly<Record<'start' | 'end', { line: number; character: number }>>
}

const OWNER = 'json'
const PAUSE_AFTER_CHANGE = 400
const WARNING = 2

/** Schemas are never requested, since checking a text must not cause network traffic. */
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
  // The first message starts the worker, the second holds its settings.
  worker.postMessage('ignore')
  worker.postMessage(SETTINGS)
  return monaco.editor.createWebWorker<JsonWorker>({ worker })
}

/** Underlines JSON errors reported by the JSON worker. */
export function createJsonCheck(model: editor.ITextModel, words: PutIntoWords) {
  let isWanted = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const check = async () => {
    const version = model.getVersionId()
    client ??= startWorker()
    await client.withSyncedResources([model.uri])
    const worker = await client.getProxy()
    // The worker parses recursively, and thousands of levels overflow its stack. The reader reports such texts instead.
    const found = await worker.doValidation(model.uri.toString()).catch(() => null)
    if (!isWanted || model.isDisposed() || model.getVersionId() !== version) return
    const markers = (found ?? []).map((diagnostic) => markerOf(diagnostic, words))
    monaco.editor.setModelMarkers(model, OWNER, markers)
  }
  const checkSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void check(), PAUSE_AFTER_CHANGE)
  }
  const listening = model.onDidChangeContent(() => {
    if (isWanted) checkSoon()
  })
  return {
    /** Checks the text after every pause in its changes, or stops checking. */
    want: (wanted: boolean) => {
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

function markerOf(
  { message, severity, range: { start, end } }: Diagnostic,
  words: PutIntoWords,
): editor.IMarkerData {
  const { Warning, Error: Wrong } = monaco.MarkerSeverity
  return {
    severity: severity !== undefined && severity >= WARNING ? Warning : Wrong,
    message: words({ name: message }),
    startLineNumber: start.line + 1,
    startColumn: start.character + 1,
    endLineNumber: end.line + 1,
    endColumn: end.character + 1,
  }
}
