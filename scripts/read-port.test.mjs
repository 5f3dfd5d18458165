import { expect, test } from 'vitest'
import { readPort } from './serve.mjs'

test.each([
  [[], {}, 3000],
  [[], { PORT: '' }, 3000],
  [[], { PORT: '8080' }, 8080],
  [['--port', '4000'], { PORT: '8080' }, 4000],
  [['--port=4000'], {}, 4000],
  [['--port', '0'], {}, 0],
  [['4000'], {}, 4000],
])('reads %j with %j as %i', (args, env, port) => {
  expect(readPort(args, env)).toBe(port)
})

test.each([
  [['--port', 'abc'], {}, '--port is "abc"'],
  [['--port'], {}, '--port is ""'],
  [['--port='], {}, '--port is ""'],
  [['--port', '65536'], {}, '--port is "65536"'],
  [['--port', '-1'], {}, '--port is "-1"'],
  [['--port', '3.5'], {}, '--port is "3.5"'],
  [[], { PORT: '3000 ' }, 'PORT is "3000 "'],
])('refuses %j with %j', (args, env, found) => {
  expect(() => readPort(args, env)).toThrow(
    new Error(`${found}; a port is a whole number from 0 to 65535.`),
  )
})

test('names a wrong option and the right one', () => {
  const sentence =
    '"--prot=1" is not an option here; the only one is --port N (npm start -- --port N).'
  expect(() => readPort(['--prot=1'], {})).toThrow(new Error(sentence))
})
