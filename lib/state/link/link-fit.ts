/** Chat apps cut longer links. */
const CHAT_LENGTH = 2_000

/** Mail and chat programs may cut longer links. */
const MAIL_LENGTH = 8_000

/** Some browsers fail on longer addresses. */
const LARGEST_LINK = 32_000

/** Ways in which a link of some length can be sent. */
export function linkFit(length: number): 'fits' | 'mail' | 'long' | 'refused' {
  if (length > LARGEST_LINK) return 'refused'
  if (length > MAIL_LENGTH) return 'long'
  return length > CHAT_LENGTH ? 'mail' : 'fits'
}
