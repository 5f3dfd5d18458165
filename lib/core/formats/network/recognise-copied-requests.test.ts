import fc from 'fast-check'
import { expect, test } from 'vitest'
import { problemsOf } from '../../testing/problems-of'
import { forAll } from '../../testing/test-size'
import { recogniseCopiedRequests } from './recognise-copied-requests'

const BODY =
  '{"model":"gpt-5","messages":[{"role":"user","content":"it\'s \\"é\\"\\n\\\\ $HOME !"}]}'
const URL = 'https://api.example.com/v1/chat?key=secret'
const PLACE = 'POST api.example.com/v1/chat'

/** As Chrome and Firefox quote for POSIX shells. */
const plain = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const ansi = (text: string) => {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `$'${escaped}'`
}
const double = (text: string) => `"${text.replace(/["\\$`]/g, (sign) => `\\${sign}`)}"`
/** As Chrome quotes for the Windows command line. */
const caret = (text: string) => {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  return `^"${escaped.replace(/[^\w\s:,.[\]-]/g, (sign) => `^${sign}`)}^"`
}

function curl(body: string, option = '--data-raw'): string {
  return `curl '${URL}' \\\n  -H 'authorization: Bearer x' \\\n  -H 'content-type: application/json' \\\n  ${option} ${body} \\\n  --compressed`
}

const options = (body: string) =>
  `{\n  "headers": {\n    "content-type": "application/json"\n  },\n  "referrer": "https://example.com/",\n  "body": ${body},\n  "method": "POST",\n  "mode": "cors"\n}`
const fetched = (body: string) => `fetch("${URL}", ${options(body)});`

test.each([
  ['in plain quotes', curl(plain(BODY))],
  ['in ANSI quotes', curl(ansi(BODY))],
  ['in double quotes', curl(double(BODY))],
  ['by another option', curl(plain(BODY), '--data')],
  ['by the short option', curl(plain(BODY), '-d')],
  ['with the option glued to it', `curl -s ${URL} -d${plain(BODY)}`],
  ['by --json with an equals sign', `curl --json=${plain(BODY)} --url ${plain(URL)}`],
  ['after a prompt, on Windows’ line ends', `$ ${curl(plain(BODY)).replaceAll('\n', '\r\n')}`],
  [
    'for the Windows command line',
    `curl ${caret(URL)} ^\r\n  -H ${caret('content-type: application/json')} ^\r\n  --data-raw ${caret(BODY)}`,
  ],
  ['as Chrome copies it', fetched(JSON.stringify(BODY))],
  ['awaited, as Firefox copies it', `await ${fetched(JSON.stringify(BODY))}`],
  [
    'as people write it',
    `const response = await fetch('${URL}', { method: 'POST', body: JSON.stringify(${BODY}) })`,
  ],
  [
    'in a template',
    `fetch("${URL}", { body: \`${BODY.replaceAll('\\', '\\\\')}\`, method: "POST" })`,
  ],
])('the body is found: %s', (_, text) => {
  const kind = text.includes('fetch(') ? 'fetch_call' : 'curl_command'
  const found = { kind, count: 1, place: PLACE, body: BODY }
  expect(recogniseCopiedRequests(text)).toMatchObject(found)
})

test.each([
  ['none', `curl '${URL}'`],
  ['a form', curl(plain('a=1&b=2'))],
  ['a file', `curl '${URL}' -d @body.json`],
  ['an option at the end', `curl '${URL}' -d`],
  ['another option at the end', `curl '${URL}' -H`],
  ['a backslash at the end', `curl '${URL}' \\`],
  ['no options', `fetch("${URL}")`],
  ['null', fetched('null')],
  ['a variable as JSON', `fetch("${URL}", { body: JSON.stringify(data) })`],
  ['keys without quotes', `fetch("${URL}", { body: JSON.stringify({ model: 'gpt-5' }) })`],
  ['a variable', `fetch("${URL}", { method: "POST", body: input })`],
  ['the short form', `fetch("${URL}", { method: "POST", body })`],
  ['brackets that stay open', `fetch("${URL}", { method: "POST", body: JSON.stringify({"a":[1}`],
  ['nothing to write', `fetch("${URL}", { method: "POST", body: JSON.stringify(`],
  ['no value', `fetch("${URL}", { method: "POST", body:`],
])('without a JSON body: %s', (_, text) => {
  const kind = text.startsWith('fetch') ? 'fetch_call' : 'curl_command'
  const found = { kind, count: 0, body: undefined }
  expect(recogniseCopiedRequests(text)).toMatchObject(found)
})

test('the body may contain any characters', () => {
  const anySign = fc.constantFrom(...'aé\'"\\$`!{}[]:, \n\t&;|#%^@')
  const anySigns = fc.string({ unit: anySign, maxLength: 20 })
  forAll(100, [anySigns, fc.constantFrom(plain, ansi, double)], (content, quote) => {
    const body = JSON.stringify({ content })
    expect(recogniseCopiedRequests(`curl ${URL} --data-raw ${quote(body)}`)?.body).toBe(body)
  })
  forAll(100, [fc.string({ unit: 'grapheme', maxLength: 40 })], (content) => {
    const body = JSON.stringify({ content })
    expect(recogniseCopiedRequests(fetched(JSON.stringify(body)))?.body).toBe(body)
  })
})

test('the method is the one named; an option with an address is not the address', () => {
  const text = `curl -X PUT -e https://other.example/ '${URL}' -d ${plain(BODY)}`
  expect(recogniseCopiedRequests(text)?.place).toBe('PUT api.example.com/v1/chat')
  expect(recogniseCopiedRequests(`curl -d ${plain(BODY)}`)?.place).toBe('POST')
})

test('several commands give JSON Lines; those without a JSON body are left out', () => {
  const pretty = JSON.stringify(JSON.parse(BODY), null, 2)
  const commands = [curl(plain(BODY)), `curl '${URL}'`, curl(plain('a=1')), curl(plain(pretty))]
  const read = recogniseCopiedRequests(commands.join(' ;\n'))
  expect(read).toMatchObject({ count: 2, place: PLACE })
  const [first = '', second = ''] = read?.body?.split('\n') ?? []
  expect(first).toBe(BODY)
  expect(JSON.parse(second)).toEqual(JSON.parse(BODY))
})

test.each([
  ...['curly', '{"curl": 1}', 'curl', '', 'fetcher("x")'],
  ...[`curl '${URL}`, `curl "${URL}`, `curl $'${URL}`],
  ...[`fetch("${URL}`, `fetch("${URL}", { body: \`\${x}\` }) "`],
  `fetch("${URL}", { method: "POST", body: JSON.stringify({"a`,
])('%j is not a copied request', (text) => {
  expect(recogniseCopiedRequests(text)).toBeUndefined()
})

test('an empty line between commands for the Windows command line separates them', () => {
  const command = `curl ${caret(URL)} ^\r\n  --data-raw ${caret(BODY)}`
  expect(recogniseCopiedRequests(`${command} ^\r\n\r\n${command}`)?.count).toBe(2)
})

test('a command followed by its answer in JSON Lines is read as the answer', () => {
  const text = `${curl(plain(BODY))}\n${'{"role":"user","content":"go"}\n'.repeat(9)}`
  expect(recogniseCopiedRequests(text)).toBeUndefined()
  expect(problemsOf(text).format).toBe('openai-chat')
})

test('read as documents, both get a sentence that names them', () => {
  expect(problemsOf(curl(plain(BODY))).problems[0]?.[0]).toBe(
    'This is a cURL command; expected its JSON body alone.',
  )
  expect(problemsOf(`fetch("${URL}")`).problems[0]?.[0]).toBe(
    'This is a fetch call without a JSON body; expected a request that sends a conversation.',
  )
})
