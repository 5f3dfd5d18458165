// usage: node src/cli.js [--width n] [--side left|right|center] [--frame plain|round|none] [--title text] <text>

import { parseArgs } from 'node:util'
import { box } from './box.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string' },
    side: { type: 'string' },
    frame: { type: 'string' },
    title: { type: 'string' },
  },
})

const { width, ...rest } = values
const settings = width === undefined ? rest : { ...rest, width: Number(width) }
console.log(box(positionals.join(' '), settings))
