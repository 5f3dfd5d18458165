import type { ReportFacts } from '@/lib/core/report/report-facts'
import { figuresFragment } from '@/lib/state/link/figures-link'
import { LARGEST_LINK } from '@/lib/state/link/link-fit'
import type { Playground } from '@/lib/state/playground'
import type { PlaygroundState } from '@/lib/state/store'
import { writeClipboard } from '../write-clipboard'
import { siteUrl } from './page-url'

/** The address of the page that shows the figures of a report. */
export function figuresUrl(state: PlaygroundState, facts: ReportFacts): string {
  return `${siteUrl()}/figures#${figuresFragment(state, facts)}`
}

/** Copies a link with figures, and says what is in it, or why it was not copied. */
export async function copyFigures(
  actions: Playground['actions'],
  link: string,
  hasNames: boolean,
): Promise<void> {
  if (link.length > LARGEST_LINK) actions.notify('figures_long', { chars: link.length }, 'error')
  else if (await writeClipboard(link))
    actions.notify('copied_figures', { chars: link.length, hasNames: hasNames ? 'yes' : 'no' })
  else actions.notify('copy_failed', {}, 'error')
}
