// Breaks text into lines at spaces. A word longer than a line is cut.

export function wrap(text, width) {
  if (!Number.isInteger(width) || width < 1)
    throw new RangeError(`width must be at least 1: ${width}`)
  const lines = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (let word of paragraph.split(' ').filter((part) => part !== '')) {
      while (word.length > width) {
        if (line !== '') lines.push(line)
        line = ''
        lines.push(word.slice(0, width))
        word = word.slice(width)
      }
      if (line === '') line = word
      else if (line.length + 1 + word.length <= width) line += ` ${word}`
      else {
        lines.push(line)
        line = word
      }
    }
    lines.push(line)
  }
  return lines
}
