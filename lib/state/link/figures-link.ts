import type { ReportFacts } from '@/lib/core/report/report-facts'
import { writeFiguresLink } from '@/lib/core/share/link/figures-link'
import type { PlaygroundState } from '../store'
import { linkSettingsOf } from './settings-url'

/** The fragment of a link with the figures of a report; the sample is named, so that it can be opened. */
export function figuresFragment(state: PlaygroundState, facts: ReportFacts): string {
  const { model, sample } = linkSettingsOf(state)
  return writeFiguresLink(facts, { model, sample })
}
