/** The page of a link with figures. */
export const figures = {
  title: 'Shared figures',
  sender:
    'from the sender of this link. The transcript is not in it, so this page cannot check them.',
  try: 'Try this policy',
  open: 'Open the playground',
  missing: 'This address has no figures; expected a link from “Share figures” in the playground.',
  damaged: 'The figures of this link are damaged; ask for it again, as it was copied.',
  newer_version:
    'This link is from a newer version of the playground; reload this page, or open it where it was made.',
  fileName: 'masking-report',
  save: 'Save report',
  print: 'Print',
  hint: 'To show what masking saves: a link to a page with costs, verdict and charts. The receiver sees nothing of the transcript, not even names.',
  share: 'Share figures',
  present: 'Present',
}
