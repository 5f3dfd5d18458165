import type { RequestContent } from '@/lib/core/loop/request-message'

/** A content as one text: its parts below each other. */
export function plainText(content: RequestContent): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')
}
