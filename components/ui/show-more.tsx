import { useTranslations } from 'use-intl'
import { Button } from './button'

/** A button for the next rows of a list that does not draw all at once; nothing if none are left. */
export function ShowMore(props: {
  /** Rows in the list, and those drawn. */
  readonly all: number
  readonly most: number
  readonly atOnce: number
  readonly onMore: (most: number) => void
}) {
  const { all, most, atOnce, onMore } = props
  const t = useTranslations('shell')
  if (all <= most) return null
  return (
    <Button kind="link" className="my-1.5 text-sm" onClick={() => onMore(most + atOnce)}>
      {t('showMore', { count: Math.min(atOnce, all - most) })}
    </Button>
  )
}
