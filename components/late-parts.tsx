import { PrintedReport } from './cost/drawer/drawer-content'
import { ForgetDialog, RecentDialog } from './drafts/recent-dialog'
import { SaveDialog } from './drafts/save-dialog'
import { useOffline } from './shell/use-offline'

/** What every page of the playground loads after the first figures: dialogs, the printed report, and the site for use offline. */
export function LateParts() {
  useOffline()
  return (
    <>
      <RecentDialog />
      <SaveDialog />
      <ForgetDialog />
      <PrintedReport />
    </>
  )
}
