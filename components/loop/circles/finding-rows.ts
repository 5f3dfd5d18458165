import { FINDING_KINDS, type Finding, type FindingKind } from '@/lib/state/loop-findings'

/** A line of the list: a kind, one of its findings, or a place of one that is unfolded. */
export type ListRow =
  | { readonly type: 'kind'; readonly kind: FindingKind; readonly count: number }
  | { readonly type: 'finding'; readonly finding: Finding; readonly isOpen: boolean }
  | { readonly type: 'place'; readonly finding: Finding; readonly at: number }

/** The lines of findings that are in the order of their kinds. */
export function listRows(findings: readonly Finding[], open: ReadonlySet<string>): ListRow[] {
  return FINDING_KINDS.flatMap((kind): ListRow[] => {
    const own = findings.filter((finding) => finding.kind === kind)
    if (own.length === 0) return []
    return [
      { type: 'kind', kind, count: own.length },
      ...own.flatMap((finding): ListRow[] => {
        const isOpen = open.has(finding.key)
        const places = isOpen ? finding.places : []
        return [
          { type: 'finding', finding, isOpen },
          ...places.map((_, at) => ({ type: 'place', finding, at }) as const),
        ]
      }),
    ]
  })
}
