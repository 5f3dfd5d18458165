import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { sessionsOf, shownFilesOf, termsKeyOf } from '@/lib/state/files/file-list-rows'
import {
  type FleetFacts,
  fleetFactsOf,
  isCsvReady,
  listedSessionsOf,
  sessionsCsv,
} from '@/lib/state/files/listed-sessions'
import { isWindowSet } from '@/lib/state/policy/policy-facts'
import { ChartPicture } from '../cost/report/charts'
import { SettingMap } from '../cost/setting-map'
import {
  useDeferredState,
  useFileList,
  useFileListState,
  usePlaygroundState,
  useView,
} from '../playground-context'
import { saveFile } from '../save-file'
import { useIsNarrow } from '../shell/use-is-narrow'
import { Button } from '../ui/button'
import { Collapsible } from '../ui/collapsible'
import { CheckboxField } from '../ui/switch-field'
import { describeSession, fleetSentences, sessionsChart } from './fleet-texts'

/** One setting for all sessions shown: what it saves, what it does to single sessions, and what their own would save. */
export function FleetPanel() {
  const { t } = useView('fleet')
  const { store } = useFileList()
  const fleet = useFileListState((state) => state.fleet)
  if (fleet.state === 'none') return null
  if (fleet.state !== 'done') {
    const count = sessionsOf(shownFilesOf(store.getState())).length
    return (
      <p
        role="status"
        className={`px-6 pb-3 max-lg:px-0 ${fleet.state === 'failed' ? 'text-warn' : 'text-soft'}`}
      >
        {fleet.state === 'failed' ? t('failed') : t('working', { count })}
      </p>
    )
  }
  const facts = fleetFactsOf(fleet.fleet)
  // One session has its own recommendation on the page.
  if (facts.sessions + facts.unpriced < 2) return null
  return <Verdict facts={facts} />
}

function Verdict({ facts }: { readonly facts: FleetFacts }) {
  const { t, format, actions } = useView('fleet')
  const { headline, worst, own, unpriced, note } = fleetSentences({ t, format }, facts)
  const { point, swept } = facts
  const isSet = useDeferredState(({ policy }) => isWindowSet(policy, point))
  return (
    <section
      aria-label={t('label')}
      className="grid gap-x-10 gap-y-3 px-6 pb-3 max-lg:px-0 xl:grid-cols-[minmax(0,1fr)_minmax(0,34rem)]"
    >
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div role="status">
            <h3 className="font-semibold text-lg">{headline}</h3>
          </div>
          {point !== undefined && (
            <Button
              kind={isSet ? 'plain' : 'primary'}
              size="small"
              disabled={isSet}
              onClick={() => actions.applyWindow(point)}
            >
              {isSet ? t('applied') : t('apply')}
            </Button>
          )}
        </div>
        {[worst, own, unpriced].map(
          (sentence) =>
            sentence !== undefined && (
              <p key={sentence} className="max-w-[75ch] text-soft">
                {sentence}
              </p>
            ),
        )}
        {note !== undefined && <p className="max-w-[85ch] text-faint text-sm">{note}</p>}
        <SessionsCsv />
        {point !== undefined && (
          <div className="max-w-2xl">
            <Collapsible kind="quiet" label={t('every')}>
              <SettingMap swept={swept} best={point} />
            </Collapsible>
          </div>
        )}
      </div>
      <FleetChart />
    </section>
  )
}

/** Saves the numbers of all sessions shown. */
function SessionsCsv() {
  const { t, actions } = useView('fleet')
  const [hasNames, setHasNames] = useState(false)
  const { store } = useFileList()
  const key = usePlaygroundState(termsKeyOf)
  const isReady = useFileListState((list) => isCsvReady(list, key))
  const save = () => {
    const { sessions } = listedSessionsOf(shownFilesOf({ ...store.getState(), sorting: undefined }))
    saveFile(actions, `${t('csvName')}.csv`, [sessionsCsv(sessions, hasNames)], 'text/csv')
  }
  return (
    <div className="flex flex-wrap items-center gap-2 py-1 print:hidden">
      <Button size="small" icon={Download} disabled={!isReady} onClick={save}>
        {t('csv')}
      </Button>
      <CheckboxField label={t('names')} isChecked={hasNames} onChange={setHasNames} />
    </div>
  )
}

/** More marks are not drawn one by one. */
const MOST_LABELS = 1000

/** Each session's cost before and after masking with the policy in use; the table of files has the same figures. */
function FleetChart() {
  const { t, format } = useView('fleet')
  const policy = useDeferredState((state) => state.policy)
  const { files, filter, work } = useFileListState((state) => state)
  const isNarrow = useIsNarrow()
  const isRenewing = work !== undefined
  const { sessions } = listedSessionsOf(shownFilesOf({ files, filter, sorting: undefined }))
  const chart = useMemo(() => {
    const texts = { t, format }
    const hasLabels = sessions.length <= MOST_LABELS
    const labels = hasLabels ? sessions.map((one) => describeSession(texts, one)) : undefined
    return { ...sessionsChart(texts, sessions, policy), labels }
  }, [t, format, sessions, policy])
  if (sessions.length === 0) return null
  return (
    <section
      aria-label={chart.title}
      aria-busy={isRenewing}
      className={`[&>svg]:h-auto [&>svg]:w-full [&>svg]:max-w-[34rem] [&>svg]:font-sans max-lg:[&>svg]:max-w-[26rem] ${isRenewing ? 'faded' : ''}`}
    >
      <h3 className="pb-2 font-medium">{chart.title}</h3>
      <ChartPicture
        charts={[chart]}
        width={isNarrow ? 360 : 540}
        height={250}
        title={chart.title}
        description={chart.legend.map(({ label }) => label).join(', ')}
        name="sessions"
      />
    </section>
  )
}
