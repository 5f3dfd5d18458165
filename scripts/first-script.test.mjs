import { describe, expect, test } from 'vitest'
import { firstScript } from './first-script.mjs'

/** A page's global scope in which the first script has run, and the addresses that its workers were started from. */
function scopeAfterFirstScript(search = '') {
  const started = []
  const opened = []
  const scope = {
    Worker: class {
      constructor(url, options) {
        started.push({ url, options })
      }
    },
    SharedWorker: class {},
    RTCPeerConnection: class {},
    webkitRTCPeerConnection: class {},
    location: {
      href: 'https://host.example/base/',
      search,
      hash: '#v=2',
      replace: (address) => opened.push(address),
    },
  }
  firstScript(scope)
  return { scope, started, opened }
}

describe('firstScript', () => {
  test('removes WebRTC and shared workers', () => {
    const { scope } = scopeAfterFirstScript()
    expect(Object.keys(scope)).toEqual(['Worker', 'location'])
  })

  test('opens the page for frames at ?embed, with the settings of the address', () => {
    const openedBy = (search) => scopeAfterFirstScript(search).opened
    expect(openedBy('?embed')).toEqual(['embed#v=2'])
    expect(openedBy('?embed=1&utm_source=a')).toEqual(['embed#v=2'])
    expect(openedBy('')).toEqual([])
    expect(openedBy('?embedded')).toEqual([])
  })

  test('starts a worker from a blob: URL that loads its script, with the same options', async () => {
    const { scope, started } = scopeAfterFirstScript()
    new scope.Worker('worker.js#params', { name: 'o200k_base' })
    const [{ url, options }] = started
    expect(options).toEqual({ name: 'o200k_base' })
    expect(url).toMatch(/^blob:/)

    const loaded = []
    const worker = { importScripts: (...urls) => loaded.push(...urls), Worker: class {} }
    new Function('self', await (await fetch(url)).text())(worker)
    expect(worker.Worker).toBeUndefined()
    worker.importScripts('/chunk.js', 'other.js')
    expect(worker.location.href).toBe('https://host.example/base/worker.js#params')
    expect(loaded).toEqual([
      'https://host.example/base/worker.js#params',
      'https://host.example/chunk.js',
      'https://host.example/base/other.js',
    ])
  })

  test('hides the constructor of the browser', () => {
    const { scope } = scopeAfterFirstScript()
    const worker = new scope.Worker('a.js')
    expect(worker).toBeInstanceOf(scope.Worker)
    expect(worker.constructor).toBe(scope.Worker)
    expect(Object.getPrototypeOf(scope.Worker)).toBe(Function.prototype)
  })

  test('starts all workers of a script from one blob: URL, and those of a blob: URL from itself', () => {
    const { scope, started } = scopeAfterFirstScript()
    for (const url of ['a.js', new URL('https://host.example/base/a.js'), 'b.js', 'blob:x'])
      new scope.Worker(url)
    const [first, second, third, fourth] = started.map(({ url }) => url)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    expect(fourth).toBe('blob:x')
  })
})
