'use client'

import { ChevronDown } from 'lucide-react'
import { modelNameOf, modelOf } from '@/lib/state/costs/chosen-model'
import { loadWithTexts } from '../load-with-texts'
import { useAfterFigures, usePlaygroundState } from '../playground-context'

const Picker = loadWithTexts<object>(
  () => import('./model-picker').then(({ ModelPicker }) => ModelPicker),
  ModelName,
)

const Prices = loadWithTexts<object>(() =>
  import('../cost/price-dialog').then(({ PriceDialog }) => PriceDialog),
)

/** The choice of the model; its name until the choice has loaded. */
export function LazyModelPicker() {
  return useAfterFigures() ? <Picker /> : <ModelName />
}

/** The button that opens the prices. */
export function LazyPriceDialog() {
  return useAfterFigures() && <Prices />
}

/** Looks like the choice, so that nothing moves when it has loaded. */
function ModelName() {
  const name = usePlaygroundState((state) => modelOf(state)?.name ?? modelNameOf(state).name)
  return (
    <span className="inline-flex h-7 min-w-0 max-w-full max-lg:max-w-44 max-lg:shrink-0 items-center gap-1 rounded-md border border-line bg-raised px-1.5 align-baseline text-ink pointer-coarse:h-11">
      <span className="truncate">{name}</span>
      <ChevronDown className="size-3.5 shrink-0 text-faint" aria-hidden />
    </span>
  )
}
