/** The page in a frame of another page. */
export const embed = {
  title: 'Observation masking on an agent’s transcript',
  open: 'Open in the playground',
  copy: 'Copy embed code',
  code: 'embed code',
  hint: 'Figures and messages of this sample, for a page of yours',
  ownText: 'To embed your own transcript, put “embed” before the # of a link with the transcript.',
}
