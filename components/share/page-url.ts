/** Returns the URL of this page with a fragment, given without its `#`. */
export function pageUrl(fragment: string): string {
  const address = `${location.origin}${location.pathname}`
  return fragment === '' ? address : `${address}#${fragment}`
}
