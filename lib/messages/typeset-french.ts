const NO_BREAK_SPACE = '\u00a0'
const NARROW_SPACE = '\u202f'

/** Sets the spaces that French has beside marks and inside numbers, in all texts: files are written with ordinary ones. */
export function typesetFrench<Texts>(texts: Texts): Texts {
  if (typeof texts === 'string') return typeset(texts) as Texts
  const entries = Object.entries(texts as object).map(([key, value]) => [key, typesetFrench(value)])
  return Object.fromEntries(entries) as Texts
}

function typeset(text: string): string {
  return text
    .replaceAll('« ', `«${NO_BREAK_SPACE}`)
    .replaceAll(' »', `${NO_BREAK_SPACE}»`)
    .replaceAll(' :', `${NO_BREAK_SPACE}:`)
    .replace(/ (?=[;?!%])|(?<=\d) (?=\d{3}(?!\d))/g, NARROW_SPACE)
}
