/**
 * Finds known terms in texts. A term stands in a text where its words stand in a row, with the same signs between them
 * and no letter or digit directly before or after. Case counts. White space is the same as a line break, and backslashes
 * do not count, so a term is also found in a JSON string that a text contains. `19,531` is the same number as `19531`.
 */

/** Longer terms are not looked for. */
export const MOST_TERM_CHARS = 240

/** A map takes much memory, so the nodes with one next node, which are most, have none. */
interface Node {
  /** The first token that follows, and its node. */
  token: string | undefined
  first: Node | undefined
  /** All tokens that follow, if there are several. */
  next: Map<string, Node> | undefined
  /** Index of the term that ends here; -1 if none does. */
  term: number
}

export function createTermIndex() {
  const root = createNode()
  const terms: string[] = []
  return {
    terms,
    /** The index of a term, which is added if it is new; undefined if it has no word or is too long. */
    add: (term: string): number | undefined => {
      if (term.length > MOST_TERM_CHARS) return undefined
      const start = nextWord(term, 0)
      if (start === term.length) return undefined
      let node = root
      for (let at = start; at < term.length; ) {
        const end = tokenEnd(term, at)
        const token = tokenAt(term, at, end)
        at = end
        if (token === '') continue
        node = nodeAfter(node, token) ?? addNode(node, token)
      }
      if (node.term === -1) node.term = terms.push(term) - 1
      return node.term
    },
    /** Calls `found` with the index of each term that a text contains, at each place. */
    scan: (text: string, found: (term: number) => void): void => {
      for (let at = nextWord(text, 0); at < text.length; ) {
        const first = tokenEnd(text, at)
        let node = nodeAfter(root, tokenAt(text, at, first))
        for (let end = first; node !== undefined; ) {
          if (node.term !== -1) found(node.term)
          if (end === text.length || node.first === undefined) break
          const after = tokenEnd(text, end)
          const token = tokenAt(text, end, after)
          if (token !== '') node = nodeAfter(node, token)
          end = after
        }
        at = nextWord(text, first)
      }
    },
  }
}

function createNode(): Node {
  return { token: undefined, first: undefined, next: undefined, term: -1 }
}

function nodeAfter({ token, first, next }: Node, wanted: string): Node | undefined {
  return next === undefined ? (token === wanted ? first : undefined) : next.get(wanted)
}

function addNode(node: Node, token: string): Node {
  const added = createNode()
  if (node.first === undefined) {
    node.token = token
    node.first = added
    return added
  }
  node.next ??= new Map([[node.token as string, node.first]])
  node.next.set(token, added)
  return added
}

const BACKSLASH = 92

/** Digits in groups of three, with separators between them. */
const GROUPS = /\d{1,3}(?:[,\u00a0\u202f]\d{3}(?![\p{L}\p{N}_]))+/uy
const SEPARATORS = /[,\u00a0\u202f]/g

function isSeparator(code: number): boolean {
  return code === 44 || code === 0xa0 || code === 0x202f
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** True for letters, digits, `_` and all other characters that are not signs. */
function isWord(code: number): boolean {
  if (code < 128) {
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95
    )
  }
  return !(
    (code >= 0x80 && code <= 0xbf) ||
    (code >= 0x2000 && code <= 0x2bff) ||
    (code >= 0x3000 && code <= 0x303f)
  )
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0
}

/** The escapes of white space in a JSON string: `\n`, `\r` and `\t`. */
function isEscapedSpace(code: number): boolean {
  return code === 110 || code === 114 || code === 116
}

/** Start of the first word at or after `at`, or the length of the text. */
function nextWord(text: string, at: number): number {
  let start = at
  while (start < text.length) {
    const code = text.charCodeAt(start)
    if (code === BACKSLASH) start = tokenEnd(text, start)
    else if (isWord(code)) break
    else start++
  }
  return start
}

/** End of the word, the white space, the backslashes or the one sign that begins at `at`. */
function tokenEnd(text: string, at: number): number {
  const code = text.charCodeAt(at)
  let end = at + 1
  if (isWord(code)) {
    while (end < text.length && isWord(text.charCodeAt(end))) end++
    if (end - at < 4 && isSeparator(text.charCodeAt(end)) && isDigit(code)) {
      GROUPS.lastIndex = at
      return GROUPS.test(text) ? GROUPS.lastIndex : end
    }
    return end
  }
  if (code !== BACKSLASH && !isSpace(code)) return end
  return spaceOrEscapeEnd(text, at)
}

/** White space and its escapes in a row are one token; backslashes before another character are one without text. */
function spaceOrEscapeEnd(text: string, at: number): number {
  let end = at
  for (;;) {
    const code = text.charCodeAt(end)
    if (isSpace(code)) {
      end++
      continue
    }
    if (code !== BACKSLASH) return end
    let escaped = end
    while (text.charCodeAt(escaped) === BACKSLASH) escaped++
    if (isEscapedSpace(text.charCodeAt(escaped))) end = escaped + 1
    else return end === at ? escaped : end
  }
}

/** The text of a token by which it is compared. */
function tokenAt(text: string, at: number, end: number): string {
  const code = text.charCodeAt(at)
  if (isWord(code)) {
    const word = text.slice(at, end)
    return end - at > 4 && isDigit(code) ? word.replace(SEPARATORS, '') : word
  }
  if (isSpace(code)) return ' '
  if (code !== BACKSLASH) return text.charAt(at)
  const last = text.charCodeAt(end - 1)
  return isEscapedSpace(last) || isSpace(last) ? ' ' : ''
}
