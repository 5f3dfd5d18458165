import { PrintedReport } from './cost/drawer/drawer-content'
import { ForgetDialog } from './drafts/recent'
import { SaveDialog } from './drafts/save-dialog'
import { OpenDialog } from './shell/open-dialog'
import { useOffline } from './shell/use-offline'

/** What every page of the playground loads after the first figures: dialogs, the printed report, and the site for use offline. */
export function LateParts() {
  useOffline()
  return (
    <>
      <OpenDialog />
      <SaveDialog />
      <ForgetDialog />
      <PrintedReport />
    </>
  )
}
