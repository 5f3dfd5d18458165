import { HistoryNotes, NothingMasked } from './meters/history-notes'
import { OutputPane } from './panes/output-pane'
import { Panes } from './panes/panes'
import { PolicyPanel, PolicySheet } from './policy/policy-panel'
import { SKIP_TARGETS, useFocusOnArrival } from './shell/skip-links'
import { useIsNarrow } from './shell/use-is-narrow'

/** The policy, and the two texts or the messages: everything below the first figures. */
export function Workbench() {
  const isNarrow = useIsNarrow()
  useFocusOnArrival()
  return (
    <>
      <main className="flex outline-none min-h-0 flex-1">
        {isNarrow === false && (
          <div className="w-80 shrink-0 overflow-y-auto border-line border-r">
            <PolicyPanel />
          </div>
        )}
        <div
          id={SKIP_TARGETS.conversation}
          className="-outline-offset-2 flex min-w-0 flex-1 flex-col"
        >
          <HistoryNotes />
          {isNarrow !== undefined && (
            <div
              className={`flex flex-col ${isNarrow ? 'h-[80dvh] border-line border-b' : 'min-h-0 flex-1'}`}
            >
              <div className="flex min-h-0 flex-1 flex-col *:min-h-0">
                {isNarrow ? <OutputPane /> : <Panes />}
              </div>
              {/* Last, so that a drag of the window moves nothing. */}
              <NothingMasked />
            </div>
          )}
        </div>
      </main>
      {isNarrow && (
        <div
          id={SKIP_TARGETS.policy}
          className="-outline-offset-2 sticky bottom-0 z-20 order-1 flex border-line border-t bg-paper px-4 py-2 short:static [&>button]:flex-1"
        >
          <PolicySheet />
        </div>
      )}
    </>
  )
}
