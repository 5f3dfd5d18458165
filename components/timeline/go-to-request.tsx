import { type FormEvent, useEffect, useState } from 'react'
import { useOpenDrawer } from '@/components/drawer/use-open-drawer'
import { sessionOf, shownRequestOf } from '@/lib/state/costs/shown-session'
import { useDeferredState, useView } from '../playground-context'
import { FIELD_SURFACE } from '../ui/popover'

/** A field for the number of a request. Enter shows the request and goes to its last message in every view. */
export function GoToRequest() {
  const { t, actions } = useView('cost.request')
  const count = useDeferredState((state) => sessionOf(state)?.requests.length ?? 0)
  const isLog = useDeferredState((state) => sessionOf(state)?.origin === 'log')
  const shown = useDeferredState(shownRequestOf)
  // The legend then has marks of calls, and needs the room.
  const isShort = useOpenDrawer()[0] === 'loop'
  const [text, setText] = useState('')
  useEffect(() => setText(shown === undefined ? '' : String(shown + 1)), [shown])
  const go = (event: FormEvent) => {
    event.preventDefault()
    actions.chooseRequest(Number(text) - 1)
  }
  return (
    <form onSubmit={go} className="-my-0.5 flex items-center gap-1.5">
      <label className="flex items-center gap-1.5">
        {t('goTo')}
        <input
          type="number"
          required
          min={1}
          max={count}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className={`h-6 w-12 px-1.5 text-right tabular-nums [appearance:textfield] [&::-webkit-inner-spin-button]:hidden ${FIELD_SURFACE}`}
        />
      </label>
      <span>{t(isLog || isShort ? 'goToOf' : 'goToOfOrDrag', { count })}</span>
    </form>
  )
}
