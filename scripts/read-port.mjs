const defaultPort = 3000

/** The error for an invalid port; its message is one sentence to show. */
export class PortError extends Error {}

/** The port from `--port N`, `--port=N` or PORT, 3000 otherwise; 0 stands for any free one. */
export function readPort(args, env) {
  let text = env.PORT
  let source = 'PORT'
  for (let position = 0; position < args.length; position += 1) {
    const argument = args[position]
    if (argument === '--port') {
      position += 1
      text = args[position] ?? ''
    } else if (argument.startsWith('--port=')) {
      text = argument.slice('--port='.length)
    } else if (/^\d+$/.test(argument)) {
      // What is left of `npm start --port 4000`: npm takes an option before `--` for its own.
      text = argument
    } else {
      throw new PortError(
        `"${argument}" is not an option here; the only one is --port N (npm start -- --port N).`,
      )
    }
    source = '--port'
  }
  if (text === undefined || (text === '' && source === 'PORT')) return defaultPort
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new PortError(`${source} is "${text}"; a port is a whole number from 0 to 65535.`)
  }
  return Number(text)
}
