// Draws a frame around wrapped text.

import { align } from './align.js'
import { wrap } from './wrap.js'

const frames = {
  plain: ['+', '-', '+', '|', '+', '+'],
  round: ['╭', '─', '╮', '│', '╰', '╯'],
  none: ['', '', '', '', '', ''],
}

export function box(text, { width = 40, side = 'left', frame = 'plain', title } = {}) {
  const [topLeft, line, topRight, edge, bottomLeft, bottomRight] = frames[frame]
  const inner = width - 4
  const body = wrap(text, inner).map((content) => `${edge} ${align(content, inner, side)} ${edge}`)
  const rule = line.repeat(width - 2)
  const head = title === undefined ? rule : `${line} ${title} `.padEnd(width - 2, line)
  const top = `${topLeft}${head}${topRight}`
  const bottom = `${bottomLeft}${rule}${bottomRight}`
  return [top, ...body, bottom].join('\n')
}
