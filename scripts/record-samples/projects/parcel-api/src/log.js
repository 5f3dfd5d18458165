// One line an event, in logfmt. The clock starts at a fixed moment and then runs on measured time.

import { appendFileSync, writeFileSync } from 'node:fs'

const start = Date.parse('2026-03-02T09:00:00.000Z')

export function clockTime() {
  return new Date(start + performance.now()).toISOString()
}

export function createLog(path) {
  writeFileSync(path, '')
  let lines = []
  const flush = () => {
    if (lines.length > 0) appendFileSync(path, lines.join(''))
    lines = []
  }
  return {
    write(level, fields) {
      const words = Object.entries(fields).map(([key, value]) => `${key}=${quote(value)}`)
      lines.push(`${clockTime()} ${level.padEnd(5)} ${words.join(' ')}\n`)
      if (lines.length >= 50) flush()
    },
    flush,
  }
}

function quote(value) {
  const text = String(value)
  return /[\s"=]/.test(text) ? JSON.stringify(text) : text
}
