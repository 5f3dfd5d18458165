import Link from 'next/link'
import { usePathname, useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import type { Selection } from '@/lib/state/document/document-slice'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { settingsFragment } from '@/lib/state/link/settings-url'
import { usePlayground } from '../playground-context'
import { useIsNarrow } from './use-is-narrow'

/** The tools, in order. The address of the page names one. */
export const TOOLS = [
  'repeated_calls',
  'checks',
  'arguments',
  'errors',
  'next_request',
  'simulator',
] as const

export type Tool = (typeof TOOLS)[number]

export type PageAddress = '/' | '/files' | '/tools' | `/tools?tool=${Tool}`

/** A link to another page of the playground, where the same document is open. A frame in another page has none. */
export function PageLink(props: {
  readonly to: PageAddress
  readonly children: ReactNode
  readonly className?: string
  /** True for a page that is open. */
  readonly isHere?: boolean
}) {
  const { to, children, isHere, className = LINK } = props
  const go = useGoTo()
  if (usePathname() === '/embed') return children
  return (
    <Link
      href={to}
      prefetch={false}
      onNavigate={(event) => {
        event.preventDefault()
        go(to)
      }}
      aria-current={isHere ? 'page' : undefined}
      className={className}
    >
      {children}
    </Link>
  )
}

const LINK =
  'relative font-medium text-accent underline decoration-1 underline-offset-3 before:absolute before:inset-x-0 before:-inset-y-1 before:content-[""] hover:decoration-2 pointer-coarse:before:-inset-y-3'

/** The link of a sentence with a tag around the words of the link. */
export const linkToTool = (tool: Tool) => (words: ReactNode) => (
  <PageLink to={`/tools?tool=${tool}`}>{words}</PageLink>
)

/** Returns what goes to another page; the address keeps the settings. */
export function useGoTo(): (to: PageAddress) => void {
  const router = useRouter()
  const path = usePathname()
  const { store } = usePlayground()
  return (to) => {
    // The page that is open: the router would write its history entry anew.
    if (to === path + location.search) return
    const fragment = settingsFragment(store.getState())
    router.push(fragment === '' ? to : `${to}#${fragment}`)
  }
}

/** Selects a message in the panes and on the timeline of the main page. Shows the messages where no text stands beside what was pressed. */
export function useJump(): (message: number, result?: number, by?: Selection['by']) => void {
  const { actions, store } = usePlayground()
  const isNarrow = useIsNarrow()
  const go = useGoTo()
  const isElsewhere = usePathname() !== '/'
  return (message, result, by = 'page') => {
    if (isElsewhere || isNarrow || isTooLargeToEdit(store.getState()))
      actions.setView(isNarrow ? 'messages' : undefined)
    actions.select(message, result, by)
    if (isElsewhere) go('/')
  }
}
