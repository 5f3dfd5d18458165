/** Whether a text is an object or a list written as JSON. */
export function isJsonText(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
