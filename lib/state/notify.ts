import type { Problem } from '@/lib/core/problem'
import type { NoticeCode, PlaygroundStore } from './store'

/** Says something to the user; the same said again takes the place of what was said before, but errors add up. */
export function createNotify({ setState }: PlaygroundStore, newId: () => number) {
  return (
    code: NoticeCode,
    values: Readonly<Record<string, string | number>> = {},
    kind: 'info' | 'error' = 'info',
    problem?: Problem,
  ) =>
    setState(({ notices }) => {
      const others = notices.filter((notice) => notice.code !== code || kind === 'error')
      return { notices: [...others, { id: newId(), kind, code, values, problem }].slice(-5) }
    })
}
