import { type FormEvent, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { keyOfUserModel } from '@/lib/state/costs/chosen-model'
import { usePlayground } from '../playground-context'
import { Button } from '../ui/button'
import { FIELD_SURFACE } from '../ui/surface'

/** Adds a model that is not in the price list. Its prices are unknown until they are typed. */
export function AddModel() {
  const t = useTranslations('cost.prices')
  const { actions } = usePlayground()
  const id = useId()
  const [name, setName] = useState('')
  const add = (event: FormEvent) => {
    event.preventDefault()
    const known = name.trim()
    if (known === '') return
    const key = keyOfUserModel(known)
    actions.changeModelOverrides(key, { name: known })
    actions.chooseModel(key)
    setName('')
  }
  return (
    <form onSubmit={add}>
      <label htmlFor={id} className="font-medium">
        {t('add')}
      </label>
      <div className="mt-1 flex gap-2">
        <input
          id={id}
          value={name}
          maxLength={80}
          placeholder={t('addPlaceholder')}
          onChange={(event) => setName(event.target.value)}
          className={`h-8 min-w-0 flex-1 px-2 pointer-coarse:h-11 ${FIELD_SURFACE}`}
        />
        <Button type="submit" disabled={name.trim() === ''}>
          {t('addDo')}
        </Button>
      </div>
      <p className="mt-1 text-soft text-sm">{t('addNote')}</p>
    </form>
  )
}
