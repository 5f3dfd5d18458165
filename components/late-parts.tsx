import { usePathname } from 'next/navigation'
import { PrintedReport } from './cost/session-cost'
import { ForgetDialog, SaveDialog } from './drafts/recent'
import { KeysDialog } from './shell/keys-dialog'
import { OpenDialog } from './shell/open-dialog'
import { useOffline } from './shell/use-offline'

/**
 * What every page of the playground loads after the first figures: dialogs, the report that is printed in place of all
 * pages but that of the files, and the site for use offline.
 */
export function LateParts() {
  useOffline()
  return (
    <>
      <OpenDialog />
      <SaveDialog />
      <ForgetDialog />
      <KeysDialog />
      {usePathname() !== '/files' && <PrintedReport />}
    </>
  )
}
