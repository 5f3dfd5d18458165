'use client'

import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { bookOf } from '@/lib/state/costs/chosen-model'
import { costTermsOf } from '@/lib/state/costs/cost-terms'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { useFigureFormat } from '../use-figure-format'
import { AddModel } from './add-model'
import { CacheRuleFields } from './cache-rule-fields'
import { PriceFields } from './price-fields'

/** Prices and caching rule of the model. Each value shows its origin and can be replaced. */
export const PriceDialog = memo(function PriceDialog() {
  const t = useTranslations('cost.prices')
  const format = useFigureFormat()
  const { actions } = usePlayground()
  const terms = usePlaygroundState(costTermsOf)
  const book = usePlaygroundState(bookOf)
  const hasOverrides = terms?.model.overrides !== undefined
  const isUserModel = terms?.model.overrides?.name !== undefined
  if (terms === undefined || book === undefined) return null
  const { model } = terms
  const date = format.day(book.date)

  return (
    <Dialog
      title={t('title', { model: model.name })}
      description={t('description', { date, source: book.source, version: book.version })}
      closeLabel={t('close')}
      className="w-[min(32rem,calc(100vw-2rem))]"
      trigger={
        <Button kind="ghost" size="small" className="-mr-2 ml-auto">
          {t(hasOverrides ? 'openCustom' : 'open')}
        </Button>
      }
      actions={
        hasOverrides && (
          <Button
            onClick={() => {
              actions.changeModelOverrides(model.key, undefined)
              if (isUserModel) actions.chooseModel(undefined)
            }}
          >
            {t(isUserModel ? 'remove' : 'resetAll')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <PriceFields terms={terms} />
        <hr className="my-1" />
        <CacheRuleFields terms={terms} />
        <hr className="my-1" />
        <AddModel />
      </div>
    </Dialog>
  )
})
