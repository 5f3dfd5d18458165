/**
 * Sets up the editor with only the features used here and with workers from this site.
 * Importing this file loads Monaco, so import it lazily.
 */
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
import './editor.css'
import { loader } from '@monaco-editor/react'
import type { editor } from 'monaco-editor/editor'
import { createTokenizationSupport } from 'monaco-editor/languages/features/json/tokenization'
import THEME_COLOURS from './theme-colours.json'

self.MonacoEnvironment = {
  getWorker: () =>
    new Worker(new URL('monaco-editor/editor/editor.worker.js', import.meta.url), {
      type: 'module',
    }),
}

/** Syntax colours for JSON; the reader reports its errors. */
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

const FONT_VARIABLE = '--font-geist-mono'

/** Family name of the page's monospace font, with fallbacks. */
export function fontFamily(): string {
  const family = getComputedStyle(document.documentElement).getPropertyValue(FONT_VARIABLE).trim()
  return [family, 'ui-monospace', 'monospace'].filter(Boolean).join(', ')
}

/** Options of both panes and the comparison. Long lines wrap, so nothing scrolls sideways. */
export const SHARED_OPTIONS = {
  fontSize: 12,
  lineHeight: 20,
  wordWrap: 'on',
  // Wrapping splits even very long lines, so this limits only text that cannot wrap.
  stopRenderingLineAfter: 20_000,
  maxTokenizationLineLength: 50_000,
  minimap: { enabled: false },
  overviewRulerLanes: 0,
  hideCursorInOverviewRuler: true,
  overviewRulerBorder: false,
  renderLineHighlight: 'none',
  scrollBeyondLastLine: false,
  padding: { top: 8, bottom: 24 },
  glyphMargin: false,
  lineNumbersMinChars: 5,
  lineDecorationsWidth: 12,
  foldingStrategy: 'indentation',
  guides: { indentation: false, bracketPairs: false },
  bracketPairColorization: { enabled: false, independentColorPoolPerBracketType: false },
  matchBrackets: 'near',
  selectionHighlight: false,
  renderControlCharacters: false,
  colorDecorators: false,
  dragAndDrop: false,
  dropIntoEditor: { enabled: false },
  pasteAs: { enabled: false },
  hover: { delay: 250, above: false },
  fixedOverflowWidgets: true,
  scrollbar: { verticalScrollbarSize: 10, useShadows: false },
  stickyScroll: { enabled: false },
  // Pasted text stays unchanged: no brackets, quotes or indentation are added.
  autoClosingBrackets: 'never',
  autoClosingQuotes: 'never',
  autoClosingComments: 'never',
  autoSurround: 'never',
  autoIndent: 'none',
  automaticLayout: true,
} as const satisfies editor.IStandaloneEditorConstructionOptions

/** An editor that shows a text, and which Tab leaves. */
export const READ_ONLY = { readOnly: true, domReadOnly: true, tabFocusMode: true } as const

export const THEME = 'playground'

/** A colour of `globals.css` with six digits, which the editor needs: it can be shorter, or a system colour's name. */
function colourOf(name: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
  // A canvas of its own: one keeps what a system colour was when it was first named.
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (canvas === null) return value
  canvas.fillStyle = value
  canvas.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
  return `#${(2 ** 24 + red * 2 ** 16 + green * 2 ** 8 + blue).toString(16).slice(1)}`
}

const TOKEN_COLOURS = {
  ...{ '': 'ink', delimiter: 'ink', 'number.json': 'ink', 'keyword.json': 'soft' },
  ...{ 'string.key.json': 'key', 'string.value.json': 'str' },
}

/** Defines the editor theme from the current colours of the page. */
function defineTheme(): void {
  const isDark = document.documentElement.classList.contains('dark')
  // A colour of the page, and how opaque it is if not wholly.
  const parts = Object.entries(THEME_COLOURS).map(([part, text]) => {
    const [name = '', alpha = ''] = text.split(' ')
    return [part, colourOf(name) + alpha]
  })
  monaco.editor.defineTheme(THEME, {
    base: isDark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: Object.entries(TOKEN_COLOURS).map(([token, name]) => ({
      token,
      foreground: colourOf(name).slice(1),
    })),
    colors: { ...Object.fromEntries(parts), 'widget.shadow': '#00000022' },
  })
  monaco.editor.setTheme(THEME)
}

let isFollowed = false

/**
 * Updates the editor theme whenever the page's theme changes. Observes the class on `html`, which changes after React
 * has rendered.
 */
export function startTheme(): void {
  if (isFollowed) return
  isFollowed = true
  defineTheme()
  matchMedia('(forced-colors: active)').addEventListener('change', defineTheme)
  new MutationObserver(defineTheme).observe(document.documentElement, {
    attributeFilter: ['class'],
  })
}
