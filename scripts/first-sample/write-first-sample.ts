/** Writes the sample of a first visit with its answers: `node scripts/run.mjs scripts/first-sample/write-first-sample.ts FILE`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { writeAnswers } from '@/lib/worker/known-answers'
import { recordAnswers } from './record-answers'

const [, , target] = process.argv
if (target === undefined) throw new Error('Name the file to write.')

const site = new URL('../../public/', import.meta.url)
const answers = await recordAnswers(async (path) => readFileSync(new URL(path, site), 'utf8'))
const text = writeAnswers(answers)
writeFileSync(target, text)
const { length: jobs } = Object.keys(answers.outputs)
console.log(`The first view's sample has the answers to ${jobs} jobs, ${text.length} characters.`)
// The worker's client waits for signs of life from its worker.
process.exit(0)
