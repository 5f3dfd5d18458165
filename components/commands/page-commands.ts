/** The commands of the page are its buttons, so the list is complete and in the page's language. */

export interface PageCommand {
  readonly value: string
  readonly label: string
  /** The part of the page that has the button. */
  readonly place: string
  readonly press: () => void
}

const BUTTONS = 'button, [role=switch], [role=tab], a[href]'
/** Parts whose buttons belong to one item of many, and the editors. */
const LEFT_OUT = 'table, ul, ol, article, [role=listbox], [role=dialog], .monaco-editor, [inert]'

/** Longer names are those of what is shown, and not of an action. */
const LONG_NAME = 40

/** The buttons that can be pressed now, in the order of the page; those with long names are last. */
export function pageCommands(): PageCommand[] {
  const commands: PageCommand[] = []
  const names = new Set<string>()
  for (const element of document.querySelectorAll<HTMLElement>(BUTTONS)) {
    const label = nameOf(element)
    if (label === '' || names.has(label) || element.matches(':disabled, [aria-disabled=true]'))
      continue
    if (element.closest(LEFT_OUT) !== null || !element.checkVisibility()) continue
    names.add(label)
    const place = element.closest('[aria-label]:not(button, a)')?.getAttribute('aria-label') ?? ''
    const press = () => {
      element.focus()
      element.click()
    }
    commands.push({ value: label, label, place, press })
  }
  const isLong = ({ label }: PageCommand) => Number(label.length > LONG_NAME)
  return commands.sort((a, b) => isLong(a) - isLong(b))
}

/** The name that a screen reader says. */
function nameOf(element: HTMLElement): string {
  const labelledBy = element.getAttribute('aria-labelledby')?.split(' ') ?? []
  const labels = labelledBy.map((id) => document.getElementById(id)?.textContent ?? '')
  const name = element.getAttribute('aria-label') ?? (labels.join(' ') || spokenText(element))
  return name.replace(/\s+/g, ' ').trim()
}

function spokenText(node: Node): string {
  if (node instanceof Element && node.getAttribute('aria-hidden') === 'true') return ''
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
  return [...node.childNodes].map(spokenText).join('')
}
