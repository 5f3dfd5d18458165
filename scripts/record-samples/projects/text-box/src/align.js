// Fills a line up to a width.

const fills = {
  left: (line, width) => line.padEnd(width),
  right: (line, width) => line.padStart(width),
  center: (line, width) => {
    const left = Math.floor((width - line.length) / 2)
    return line.padStart(line.length + left).padEnd(width)
  },
}

export function align(line, width, side = 'left') {
  const fill = fills[side]
  if (fill === undefined) throw new TypeError(`side must be left, right or center, not ${side}`)
  return fill(line, width)
}
