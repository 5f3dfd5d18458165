const seconds = { s: 1, m: 60, h: 3600, d: 86400 }

/** Seconds of a text such as `1h30m` or `2d 4h`. */
export function parseDuration(text) {
  const match = /(\d+)([smhd])/.exec(text)
  return Number(match[1]) * seconds[match[2]]
}

export function formatDuration(total) {
  let rest = total
  let text = ''
  for (const [unit, size] of Object.entries(seconds)) {
    const count = Math.floor(rest / size)
    if (count > 0) text += `${count}${unit}`
    rest -= count * size
  }
  return text
}
