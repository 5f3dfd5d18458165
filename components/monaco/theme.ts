import { monaco } from './setup'

export const THEME = 'playground'

const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })

/** A colour of `globals.css` with six digits, which the editor needs: it can be shorter, or a system colour's name. */
function colourOf(name: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
  if (canvas === null) return value
  canvas.fillStyle = value
  canvas.clearRect(0, 0, 1, 1)
  canvas.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
  return `#${(2 ** 24 + red * 2 ** 16 + green * 2 ** 8 + blue).toString(16).slice(1)}`
}

/** Defines the editor theme from the current colours of the page. */
function defineTheme(): void {
  const isDark = document.documentElement.classList.contains('dark')
  const token = (scope: string, name: string) => ({
    token: scope,
    foreground: colourOf(name).slice(1),
  })
  const see = (name: string, alpha = '') => colourOf(name) + alpha
  monaco.editor.defineTheme(THEME, {
    base: isDark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      token('', 'ink'),
      token('string.key.json', 'key'),
      token('string.value.json', 'str'),
      token('number.json', 'ink'),
      token('keyword.json', 'soft'),
      token('delimiter', 'ink'),
    ],
    colors: {
      'editor.background': see('raised'),
      'editor.foreground': see('ink'),
      'editorLineNumber.foreground': see('faint'),
      'editorLineNumber.activeForeground': see('ink'),
      'editor.lineHighlightBackground': see('raised', '00'),
      'editor.lineHighlightBorder': see('raised', '00'),
      'editor.selectionBackground': see('accent', '33'),
      'editor.inactiveSelectionBackground': see('accent', '1f'),
      'editor.findMatchBackground': see('warn', '55'),
      'editor.findMatchHighlightBackground': see('warn', '2b'),
      'editorCursor.foreground': see('ink'),
      'editorBracketMatch.background': see('raised', '00'),
      'editorBracketMatch.border': see('ghost'),
      'editorGutter.background': see('raised'),
      'editorGutter.foldingControlForeground': see('faint'),
      'editorError.foreground': see('bad'),
      'editorWarning.foreground': see('warn'),
      'editorWidget.background': see('raised'),
      'editorWidget.foreground': see('ink'),
      'editorWidget.border': see('line'),
      'widget.shadow': '#00000022',
      'editorHoverWidget.background': see('ink'),
      'editorHoverWidget.foreground': see('paper'),
      'editorHoverWidget.border': see('ink'),
      'input.background': see('paper'),
      'input.border': see('line'),
      'inputOption.activeBorder': see('accent'),
      'inputOption.activeBackground': see('accent-tint'),
      'inputOption.activeForeground': see('ink'),
      focusBorder: see('accent'),
      'scrollbar.shadow': '#00000000',
      'scrollbarSlider.background': see('ghost', '40'),
      'scrollbarSlider.hoverBackground': see('ghost', '66'),
      'scrollbarSlider.activeBackground': see('ghost', '88'),
      'editorOverviewRuler.border': '#00000000',
      'diffEditor.removedTextBackground': see('ghost', '1f'),
      'diffEditor.removedLineBackground': see('ghost', '0f'),
      'diffEditor.insertedTextBackground': see('accent', '00'),
      'diffEditor.insertedLineBackground': see('accent', '0a'),
      'diffEditor.unchangedRegionBackground': see('paper'),
      'diffEditor.unchangedRegionForeground': see('soft'),
      'diffEditor.unchangedCodeBackground': see('raised'),
      'diffEditor.diagonalFill': see('line'),
      'diffEditor.border': see('line'),
    },
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
