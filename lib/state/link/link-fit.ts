/** Chat apps cut longer links. */
export const CHAT_LENGTH = 2_000

/** Some browsers fail on longer addresses. */
export const LARGEST_LINK = 32_000

/** Ways in which a link of some length can be sent. */
export function linkFit(length: number): 'fits' | 'mail' | 'refused' {
  if (length > LARGEST_LINK) return 'refused'
  return length > CHAT_LENGTH ? 'mail' : 'fits'
}
