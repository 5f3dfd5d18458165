import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary` and `accent` once per view; `plain` has a border; `ghost` is text until hovered; `link` is used in sentences. */
  readonly kind?: 'primary' | 'accent' | 'plain' | 'ghost' | 'link'
  readonly size?: 'normal' | 'small'
  /** Shown before the text. */
  readonly icon?: LucideIcon
}

const KINDS = {
  primary: 'border border-ink bg-ink text-paper hover:opacity-85 font-medium',
  accent: 'border border-accent bg-accent text-paper hover:opacity-85 font-medium',
  plain: 'border border-line bg-raised text-ink hover:border-ghost',
  ghost: 'border border-transparent text-soft hover:text-ink hover:bg-line/50',
  link: 'text-accent font-medium underline decoration-1 underline-offset-3 hover:decoration-2 relative before:absolute before:inset-x-0 before:-inset-y-1 before:content-[""] pointer-coarse:before:-inset-y-3',
}

const SIZES = {
  normal: 'h-8 px-3 pointer-coarse:h-11',
  small: 'h-7 px-2 text-sm pointer-coarse:h-11 pointer-coarse:px-3',
}

/** A button. It accepts a ref and any attribute, so it can trigger a popup. */
export function Button({
  kind = 'plain',
  size = 'normal',
  icon: Icon,
  className = '',
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  const shape =
    kind === 'link'
      ? 'inline cursor-pointer rounded-xs text-left'
      : `inline-flex shrink-0 cursor-pointer select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md ${SIZES[size]}`
  return (
    <button
      type={type}
      className={`${shape} transition-colors disabled:pointer-events-none disabled:opacity-45 aria-disabled:opacity-45 ${KINDS[kind]} ${className}`}
      {...rest}
    >
      {Icon && <Icon className="size-3.5" aria-hidden />}
      {children}
    </button>
  )
}

/** A label that gives way to an icon on a phone. */
export function IconOnPhone({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <>
      <Icon className="size-4 sm:hidden" aria-hidden />
      <span className="max-sm:sr-only">{children}</span>
    </>
  )
}

/** The link of a sentence with a tag around the words of the link. */
export function linkTo(onClick: () => void) {
  return (words: ReactNode) => (
    <Button kind="link" onClick={onClick}>
      {words}
    </Button>
  )
}

/** A button that expands a text. It is unobtrusive because almost every message has one. */
export function QuietButton(props: Omit<ComponentProps<'button'>, 'className' | 'type'>) {
  return (
    <button
      type="button"
      className="cursor-pointer rounded-xs text-faint text-sm underline decoration-line underline-offset-3 hover:text-ink hover:decoration-ink pointer-coarse:py-2"
      {...props}
    />
  )
}

/** A link to a source on another site, which opens beside the page. */
export function SourceLink(props: ComponentProps<'a'>) {
  return (
    <a
      {...props}
      target="_blank"
      rel="noreferrer"
      className="text-accent underline decoration-1 underline-offset-3"
    />
  )
}
