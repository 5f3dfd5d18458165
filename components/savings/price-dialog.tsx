'use client'

import { useFormatter, useTranslations } from 'use-intl'
import { termsOf } from '@/lib/state/savings-terms'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { AddModel } from './add-model'
import { CacheRuleFields } from './cache-rule-fields'
import { PriceFields } from './price-fields'

/** What the model costs and how it caches: every figure with its origin, each replaceable by one's own. */
export function PriceDialog() {
  const t = useTranslations('savings.prices')
  const format = useFormatter()
  const { actions } = usePlayground()
  const terms = usePlaygroundState(termsOf)
  const book = usePlaygroundState((state) => state.priceBook)
  const isOwn = terms?.model.own !== undefined
  const isOwnModel = terms?.model.own?.name !== undefined
  if (terms === undefined || book === undefined) return null
  const { model } = terms
  const date = format.dateTime(new Date(`${book.date}T00:00:00Z`), { dateStyle: 'long' })

  return (
    <Dialog
      title={t('title', { model: model.name })}
      description={t('description', { date, source: book.source, version: book.version })}
      closeLabel={t('close')}
      className="w-[min(32rem,calc(100vw-2rem))]"
      trigger={
        <Button kind="ghost" size="small" className="-mr-2 ml-auto">
          {t(isOwn ? 'openOwn' : 'open')}
        </Button>
      }
      actions={
        isOwn && (
          <Button
            onClick={() => {
              actions.changeOwnTerms(model.key, undefined)
              if (isOwnModel) actions.chooseModel(undefined)
            }}
          >
            {t(isOwnModel ? 'remove' : 'resetAll')}
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
}
