/**
 * Refuses what a web page can send: any page can post to a port of this machine without reading the answer, and a name that
 * its owner points at this machine later makes the answers readable too. Clients that are no browsers send neither header.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIPv4 } from 'node:net'

const isLoopback = (name: string) =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '[::1]' ||
  name === '::1' ||
  (isIPv4(name) && name.startsWith('127.'))

type Hint = (text: string) => string
const OWN_SITES = [undefined, 'none', 'same-origin']

/** The name of an address such as `host:8787`; undefined if it is none. */
function hostOf(address: string): string | undefined {
  return URL.canParse(`http://${address}`) ? new URL(`http://${address}`).hostname : undefined
}

/**
 * Returns a function that says why a request is refused; undefined if it is not. `allowed` has names of hosts and origins
 * such as `https://app.example`. A proxy that listens to other machines too is asked for under names it cannot know.
 * `hint` is asked for text that names a flag.
 */
export function createGuard(allowed: readonly string[], listensTo: string, hint: Hint) {
  const hosts = new Set(allowed.filter((name) => !name.includes('://')).map(hostOf))
  const origins = new Set(allowed.filter((name) => name.includes('://')))
  return (headers: IncomingHttpHeaders): string | undefined => {
    const { host = '', origin, 'sec-fetch-site': site } = headers
    const name = hostOf(host)
    if (isLoopback(listensTo) && !(name !== undefined && (isLoopback(name) || hosts.has(name))))
      return `The host is ${JSON.stringify(host)}; expected this machine${hint(', or a name in --allow')}.`
    const own = origin === undefined ? OWN_SITES : [`http://${host}`, ...origins]
    if (own.includes(origin ?? site)) return undefined
    return `The request is from a page of ${origin ?? 'another site'}; expected none${hint(', or an origin in --allow')}.`
  }
}
