import type { BeforeAfter, RequestMeasure } from '@/lib/core/mask/measure-request'
import {
  TOKENS_PER_CALL,
  TOKENS_PER_MESSAGE,
  TOKENS_PER_NAME,
  TOKENS_PER_REQUEST,
} from '@/lib/core/tokens/count-conversation'
import { familyOf, modelOf } from '@/lib/state/costs/chosen-model'
import { nonTextPartsOf, shownMeasureOf } from '@/lib/state/costs/request-view'
import { calibrationOf, estimatedSlopeOf } from '@/lib/state/costs/shown-session'
import { countsOf } from '@/lib/state/document/selectors'
import { jsonBytesOf } from '@/lib/state/files/chat-body'
import { useWords } from '../language-provider'
import { useComputedState, usePlaygroundState, useShown, useView } from '../playground-context'
import { SessionDetails } from './session-figures'

/** Details of the request shown, and which token counts are exact, estimated or left out. */
export function HowCounted() {
  const { t } = useView('meters.how')
  const { label: family, encoding, isExact } = usePlaygroundState(familyOf)
  const words = useWords()
  const { shown: measure } = useShown(shownMeasureOf, usePlaygroundState)
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
      <SessionDetails />
    </>
  )
}

const SELECTORS = [jsonBytesOf]

/** What a request takes of the model's context, its masked messages, its characters and bytes, and its share of results. */
function RequestDetails({ measure }: { readonly measure: RequestMeasure }) {
  const { t, format } = useView('meters')
  const model = usePlaygroundState(modelOf)
  const { tokens, chars, resultTokens, resultChars } = measure
  const state = useComputedState(SELECTORS)
  const bytes = state && jsonBytesOf(state)
  const context = model?.contextWindow
  const changeOf = ({ before, after }: BeforeAfter) => ({
    before: format.number(before),
    after: format.number(after),
    change: format.change(before, after),
  })
  const percent = (part: number, all: number) =>
    all === 0 ? t('unknown') : format.share(part / all)
  const sentences = [
    context === undefined
      ? t('contextUnknown')
      : t('context', {
          model: model?.name ?? '',
          before: percent(tokens.before, context),
          after: percent(tokens.after, context),
        }),
    t('messagesMasked', {
      masked: format.number(measure.maskedMessages),
      messages: format.number(measure.messages),
    }),
    t('characters', changeOf(chars)),
    t('resultCharacters', changeOf(resultChars)),
    ...(bytes === undefined ? [] : [t('jsonBytes', changeOf(bytes))]),
    t('share', {
      before: percent(resultTokens.before, tokens.before),
      after: percent(resultTokens.after, tokens.after),
    }),
  ]
  return (
    <div className="mb-3 flex flex-col gap-1.5 border-b pb-3">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  )
}
