import type { ReportFacts } from '@/lib/core/report/report-facts'
import { writeFiguresLink } from '@/lib/core/share/link/figures-link'
import { unnamedMechanism } from '@/lib/state/costs/session-report'
import { linkFit, linkSettingsOf } from '@/lib/state/link/settings-url'
import type { Playground } from '@/lib/state/playground'
import type { PlaygroundState } from '@/lib/state/store'
import { copyText } from '../save-file'

/** The address of the site, without a slash at the end. */
export function siteUrl(): string {
  return `${location.origin}${process.env.NEXT_PUBLIC_BASE_PATH ?? ''}`
}

/** Returns the URL of this page with a fragment, given without its `#`. */
export function pageUrl(fragment: string): string {
  const address = `${location.origin}${location.pathname}`
  return fragment === '' ? address : `${address}#${fragment}`
}

/** The address of the page that shows the figures of a report; the sample is named, so that it can be opened. */
export function figuresUrl(state: PlaygroundState, facts: ReportFacts): string {
  const { model, sample } = linkSettingsOf(state)
  const mechanism = unnamedMechanism(state)
  return `${siteUrl()}/figures#${writeFiguresLink(facts, { model, sample, mechanism })}`
}

/** Copies a link with figures, and says what is in it, or why it was not copied. */
export async function copyFigures(actions: Playground['actions'], link: string, hasNames: boolean) {
  const fit = linkFit(link.length)
  const said = { chars: link.length, hasNames: hasNames ? 'yes' : 'no' }
  if (fit === 'refused') actions.notify('figures_long', said, 'error')
  else
    await copyText(actions, link, fit === 'long' ? 'copied_long_figures' : 'copied_figures', said)
}
