import { describe, test } from 'vitest'
import { expectLinear } from '../../testing/expect-linear'
import { testSize } from '../../testing/test-size'
import { findSecrets } from './find-secrets'
import { made } from './testing/planted-secrets'

/** Characters; eight times as many are compared with eight of these. */
const EIGHTH = testSize(2_500, 25_000)

describe('a hostile text', () => {
  const PARTS = [
    ...['a', ' ', '"', "'", '\\\\', '\\"', '=', ':', '-', '.', 'a.', 'a@', 'eyJ', 'sk-'],
    ...['password=', 'PASSWORD=a', 'PASSWORD=a b\n', 'password = a\n', 'password: '],
    ...['password: |\n  a', '"password":"', '"password":1234', "password='", 'token=a1.'],
    ...['auth:aaaaaaaa', 'authorization:', 'Bearer ', 'Cookie: a=bbbb', 'Cookie: a="'],
    ...['Set-Cookie: ', 'curl ', 'mysql -', 'machine a login b ', 'a:5432:b:c:', '?sig=aaaaa'],
    ...['AGE-SECRET-KEY-1', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'],
    ...[`${'a'.repeat(64)}\n`, 'authorization: a ', 'name: ', 'name: password '],
    ...['name: password value: ', 'variable "password" { ', "define('PASSWORD','", '$6$'],
    ...['\tTRUE\t/\tTRUE\t1\ta\t', 'xapp-1-A-1-', 'dp.pt.a', 'IQoJb3JpZ2lu'],
    ...['MAAAAAAAAAAAAAAAAAAAAAAA.', 'key-abcdef', 'http://a:b', 'postgres://', '--password '],
    ...[
      'echo a',
      'echo a | ',
      'set -x token ',
      'data:\n a: b\n',
      '"data":{"a":"b"},',
      'kind: Secret\n',
    ],
    ...['@@ -1 +1 @@\n+', '?Signature=', `${'A'.repeat(60)}\n`, 'auth=("a", "', '("token","'],
    ...['token" || "', 'A_TOKEN="a\n', 'a-key: a', 'docker login ', '\\u001b[', 'key [x]: '],
  ]

  test.each(PARTS)('is scanned in linear time: %j repeated', async (part) => {
    await expectLinear(
      (factor) => part.repeat(Math.ceil((EIGHTH * factor) / part.length)),
      findSecrets,
    )
  })

  const REPEATED: readonly (readonly [string, (index: number) => string])[] = [
    ['one token', () => `token ghp_${made(36)} and `],
    ['one password in a URL', () => 'postgres://ada:hunter2-x@db.example.org/x\n'],
    ['one assigned password', () => 'DB_PASSWORD=hunter2x\n'],
    ['different tokens', (index) => `ghp_${String(index).padStart(8, '0')}${made(28)}\n`],
    [
      'different keys and addresses',
      (index) => `api_token=${made(8, 'hex')}${index}x ada${index}@example.org\n`,
    ],
  ]

  test.each(REPEATED)('is scanned in linear time: %s, 1,000 to 8,000 times', async (_, line) => {
    await expectLinear(
      (factor) =>
        JSON.stringify([Array.from({ length: 1000 * factor }, (_, index) => line(index)).join('')]),
      findSecrets,
    )
  })
})
