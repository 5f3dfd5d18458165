/**
 * Sets up the editor with only the features used here and with workers from this site.
 * Importing this file loads Monaco, so import it lazily.
 */
import { loader } from '@monaco-editor/react'
import * as monaco from 'monaco-editor/editor'
import 'monaco-editor/features/bracketMatching/register'
import 'monaco-editor/features/caretOperations/register'
import 'monaco-editor/features/clipboard/register'
import 'monaco-editor/features/codicon/register'
import 'monaco-editor/features/contextmenu/register'
import 'monaco-editor/features/cursorUndo/register'
import 'monaco-editor/features/diffEditor/register'
import 'monaco-editor/features/find/register'
import 'monaco-editor/features/folding/register'
import 'monaco-editor/features/gotoLine/register'
import 'monaco-editor/features/hover/register'
import 'monaco-editor/features/indentation/register'
import 'monaco-editor/features/lineSelection/register'
import 'monaco-editor/features/linesOperations/register'
import 'monaco-editor/features/multicursor/register'
import 'monaco-editor/features/smartSelect/register'
import 'monaco-editor/features/toggleTabFocusMode/register'
import 'monaco-editor/features/wordOperations/register'
import { createTokenizationSupport } from 'monaco-editor/languages/features/json/tokenization'
import './editor.css'

self.MonacoEnvironment = {
  getWorker: () =>
    new Worker(new URL('monaco-editor/editor/editor.worker.js', import.meta.url), {
      type: 'module',
    }),
}

/** Syntax colours for JSON; `check-json.ts` reports its errors. */
export const JSON_LANGUAGE = 'json'

monaco.languages.register({ id: JSON_LANGUAGE })
monaco.languages.setTokensProvider(JSON_LANGUAGE, createTokenizationSupport(true))
monaco.languages.setLanguageConfiguration(JSON_LANGUAGE, {
  brackets: [
    ['{', '}'],
    ['[', ']'],
  ],
})

loader.config({ monaco: monaco as unknown as typeof import('monaco-editor') })

export { monaco }
