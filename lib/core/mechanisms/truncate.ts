/** Long results are cut in the middle when they are recorded, as gateways do. What is cut stays so, and the cache is kept. */

import { firstCodePoints } from '../text/span'
import { editsBefore, resultEdits } from './clear-results'
import { charsOf } from './history'
import { numberOf } from './mechanism'
import { defineStateless } from './mechanism-table'

export const truncate = defineStateless('truncate', ({ history, end }, settings) => {
  const [head, tail] = [numberOf(settings, 'head_chars'), numberOf(settings, 'tail_chars')]
  const cut = resultEdits(history, `cut ${head} ${tail}`, (message) => {
    const left = charsOf(message) - head - tail
    const marker = `[... ${left.toLocaleString('en')} characters left out ...]`
    if (left <= marker.length) return undefined
    const { content } = message
    // No character has more than two units.
    const end = tail === 0 ? '' : [...content.slice(-2 * tail)].slice(-tail).join('')
    return `${firstCodePoints(content, head)}\n${marker}\n${end}`
  })
  return editsBefore(cut, end)
})
