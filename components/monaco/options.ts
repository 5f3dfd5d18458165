import type { editor } from 'monaco-editor/editor'

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
  fontLigatures: false,
  wordWrap: 'on',
  wrappingIndent: 'same',
  // Wrapping splits even very long lines, so this limits only text that cannot wrap.
  stopRenderingLineAfter: 20_000,
  maxTokenizationLineLength: 50_000,
  largeFileOptimizations: true,
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
  folding: true,
  foldingStrategy: 'indentation',
  showFoldingControls: 'mouseover',
  guides: { indentation: false, bracketPairs: false },
  bracketPairColorization: { enabled: false, independentColorPoolPerBracketType: false },
  matchBrackets: 'near',
  occurrencesHighlight: 'off',
  selectionHighlight: false,
  unicodeHighlight: {
    ambiguousCharacters: false,
    invisibleCharacters: false,
    nonBasicASCII: false,
  },
  unusualLineTerminators: 'off',
  renderControlCharacters: false,
  links: false,
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
  quickSuggestions: false,
  wordBasedSuggestions: 'off',
  automaticLayout: true,
} as const satisfies editor.IStandaloneEditorConstructionOptions
