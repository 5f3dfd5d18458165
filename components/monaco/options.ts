import type { editor } from 'monaco-editor/editor'

const FONT_VARIABLE = '--font-geist-mono'

/** The name the page's mono font was loaded under, with what stands in for it. */
export function fontFamily(): string {
  const own = getComputedStyle(document.documentElement).getPropertyValue(FONT_VARIABLE).trim()
  return [own, 'ui-monospace', 'monospace'].filter(Boolean).join(', ')
}

/** What both panes and the comparison share; long lines wrap, so nothing scrolls sideways. */
export const SHARED_OPTIONS = {
  fontSize: 12,
  lineHeight: 20,
  fontLigatures: false,
  wordWrap: 'on',
  wrappingIndent: 'same',
  // Even rows of one giant line are cut by wrapping, so this bounds only what cannot wrap.
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
  // What is put in stands as it is: a transcript inserted as if typed must not gain brackets, quotes or indents.
  autoClosingBrackets: 'never',
  autoClosingQuotes: 'never',
  autoClosingComments: 'never',
  autoSurround: 'never',
  autoIndent: 'none',
  quickSuggestions: false,
  wordBasedSuggestions: 'off',
  automaticLayout: true,
} as const satisfies editor.IStandaloneEditorConstructionOptions
