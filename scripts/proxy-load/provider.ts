/** The provider of the load, a process of its own: it checks each request and streams the answer to it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerTemplate, withNumber } from './traffic'

const answer = answerTemplate()
const PIECE = 16_384

const server = createServer((incoming, outgoing) => {
  const pieces: Buffer[] = []
  incoming.on('data', (piece: Buffer) => pieces.push(piece))
  incoming.on('end', () => {
    const number = Number(incoming.headers['x-agent'])
    const question = `Agent ${String(number).padStart(8, '0')}"`
    const body = Buffer.concat(pieces)
    const isWhole = body.includes(question) && body.at(-1) === 0x7d
    if (!isWhole) return outgoing.writeHead(400).end(`not the request of agent ${number}`)
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    const bytes = withNumber(answer, Number(incoming.headers['x-request']))
    let at = 0
    const write = () => {
      while (at < bytes.length) {
        const piece = bytes.subarray(at, at + PIECE)
        at += PIECE
        if (!outgoing.write(piece)) return outgoing.once('drain', write)
      }
      return outgoing.end()
    }
    return write()
  })
})
server.keepAliveTimeout = 75_000
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`http://127.0.0.1:${(server.address() as AddressInfo).port} answers\n`)
})
