/** Pixels of 1rem: the font size set in the browser. For heights that a script needs before layout. */
export function remInPixels(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
}
