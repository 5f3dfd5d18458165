import { useTranslations } from 'use-intl'
import {
  TOKENS_PER_CALL,
  TOKENS_PER_MESSAGE,
  TOKENS_PER_NAME,
  TOKENS_PER_REQUEST,
} from '@/lib/core/tokens/count-conversation'
import { familyOf } from '@/lib/state/costs/chosen-model'
import { nonTextPartsOf, shownMeasureOf } from '@/lib/state/costs/request-view'
import { calibrationOf, estimatedSlopeOf } from '@/lib/state/costs/shown-session'
import { countsOf } from '@/lib/state/document/selectors'
import { useWords } from '../language-provider'
import { conversationKeyOf, usePlaygroundState, useShownOf } from '../playground-context'
import { RequestDetails } from './request-details'

/** Details of the request shown, and which token counts are exact, estimated or left out. */
export function HowCounted() {
  const t = useTranslations('meters.how')
  const { label: family, encoding, isExact } = usePlaygroundState(familyOf)
  const words = useWords()
  const { shown: measure } = useShownOf(
    usePlaygroundState(shownMeasureOf),
    usePlaygroundState(conversationKeyOf),
  )
  const calibration = usePlaygroundState(calibrationOf)
  const isFitted = usePlaygroundState((state) => estimatedSlopeOf(state) === undefined)
  const nonText = usePlaygroundState(nonTextPartsOf)
  const perRequest = usePlaygroundState(
    (state) => countsOf(state)?.[state.conversation]?.perRequest ?? TOKENS_PER_REQUEST,
  )
  return (
    <>
      {measure !== undefined && <RequestDetails measure={measure} />}
      <div className="flex flex-col gap-2 text-soft">
        <p>{t('request', { schemas: perRequest - TOKENS_PER_REQUEST })}</p>
        <p>{t(isExact ? 'exact' : 'estimate', { encoding, family: words({ name: family }) })}</p>
        <p>
          {t('overheads', {
            message: TOKENS_PER_MESSAGE,
            name: TOKENS_PER_NAME,
            call: TOKENS_PER_CALL,
            request: TOKENS_PER_REQUEST,
          })}
        </p>
        {calibration !== undefined && (
          <p>
            {t('calibrated', {
              isFitted: isFitted ? 'yes' : 'no',
              slope: Math.round(calibration.slope * 100),
              head: calibration.headTokens,
              request: calibration.requestTokens,
            })}
          </p>
        )}
        {nonText > 0 && <p className="text-warn">{t('nonText', { n: nonText })}</p>}
      </div>
    </>
  )
}
