import { useTranslations } from 'use-intl'

const BASE = process.env.NEXT_PUBLIC_BASE_PATH ?? ''
const NUMBER = process.env.NEXT_PUBLIC_VERSION ?? ''
/** Empty where it is unknown. */
const COMMIT = process.env.NEXT_PUBLIC_COMMIT ?? ''
export const VERSION = `${NUMBER} ${COMMIT}`.trim()
export const LICENCE = `${BASE}/LICENSE.txt`

const link = 'text-accent underline decoration-1 underline-offset-3'
/** Between a phone, where the footer wraps, and a wide screen, the version leads to the rest. */
const wide = 'sm:max-xl:hidden'

/** Version, commit, licence, and what is new. */
export function AboutLinks() {
  const t = useTranslations('shell')
  return (
    <span className="flex gap-x-3 whitespace-nowrap max-lg:leading-6">
      <a href={`${BASE}/help#news`} className={link}>
        {NUMBER}
        <span className={wide}>
          <span className="xl:max-[96rem]:hidden"> {COMMIT}</span> · {t('news')}
        </span>
      </a>
      <a href={LICENCE} className={`${link} ${wide}`}>
        {t('licence')}
      </a>
    </span>
  )
}
