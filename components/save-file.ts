/** Saves a file under a name, as the browser saves downloads. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has taken hold of it once the click is over; some only a moment later.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
