/** The address of the site, without a slash at the end. */
export function siteUrl(): string {
  return `${location.origin}${process.env.NEXT_PUBLIC_BASE_PATH ?? ''}`
}

/** Returns the URL of this page with a fragment, given without its `#`. */
export function pageUrl(fragment: string): string {
  const address = `${location.origin}${location.pathname}`
  return fragment === '' ? address : `${address}#${fragment}`
}
