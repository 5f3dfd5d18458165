import { useTranslations } from 'use-intl'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Writes a stretch of time in its two largest units; milliseconds only below a minute. */
export function useDuration(): (milliseconds: number) => string {
  const t = useTranslations('loop.circles.duration')
  return (milliseconds) => {
    const whole = (unit: number, within: number) => Math.floor((milliseconds % within) / unit)
    if (milliseconds < MINUTE) {
      const seconds = milliseconds < 10 * SECOND ? milliseconds / SECOND : whole(SECOND, MINUTE)
      return t('seconds', { seconds: Math.round(seconds * 10) / 10 })
    }
    if (milliseconds < HOUR)
      return t('minutes', { minutes: whole(MINUTE, HOUR), seconds: whole(SECOND, MINUTE) })
    if (milliseconds < DAY)
      return t('hours', { hours: whole(HOUR, DAY), minutes: whole(MINUTE, HOUR) })
    return t('days', { days: Math.floor(milliseconds / DAY), hours: whole(HOUR, DAY) })
  }
}
