/** This page's address with a fragment, given without its `#`. */
export function addressOf(fragment: string): string {
  const address = `${location.origin}${location.pathname}`
  return fragment === '' ? address : `${address}#${fragment}`
}
