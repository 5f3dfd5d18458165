/** Two 32-bit FNV-1a hashes of a text: a key that is the same for the same text, not a proof that texts are the same. */
export function hashOf(text: string): string {
  let first = 0x811c9dc5
  let second = 0x811c9dc5 ^ text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ unit, 0x01000197)
  }
  return `${(first >>> 0).toString(36)}-${(second >>> 0).toString(36)}`
}
