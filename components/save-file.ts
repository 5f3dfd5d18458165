/** Saves a file as a browser download. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // Some browsers read the URL only some time after the click, busy ones after many seconds.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
