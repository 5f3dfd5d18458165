/** Runs the README's examples with the real clients; a folder where the package is installed has a copy of this file. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { generateText, streamText } from 'ai'
import { loadEncoding } from 'observation-masking'
import { createToolLoop } from 'observation-masking/loop'
import { repairArguments } from 'observation-masking/repair'
import OpenAI from 'openai'
import { provider as maskedProvider } from './ai-sdk.mjs'
import { client as maskedAnthropic } from './anthropic.mjs'
import { maskingFetch } from './exported-fetch.mjs'
import { mask as exportedMask } from './exported-library.mjs'
import { mask } from './messages.mjs'
import { client as maskedOpenai } from './openai.mjs'
import { flag, server } from './your-own-route.mjs'

const { histories, baseUrl, policyPath } = JSON.parse(readFileSync('input.json', 'utf8'))
const answers = {}

async function ask(name, { openai, anthropic, provider }) {
  const { chat, blocks, parts } = histories
  const stated = { model: 'm', max_tokens: 9 }
  const whole = await openai.chat.completions.create({ model: 'm', messages: chat })
  let text = ''
  const chunks = await openai.chat.completions.create({ model: 'm', messages: chat, stream: true })
  for await (const { choices } of chunks) text += choices[0]?.delta.content ?? ''
  const message = await anthropic.messages.create({ ...stated, messages: blocks })
  const streamed = await anthropic.messages.stream({ ...stated, messages: blocks }).finalText()
  const model = provider.chatModel('m')
  const { text: generated } = await generateText({ model, messages: parts })
  const stream = streamText({ model, messages: parts })
  answers[name] = [
    whole.choices[0].message.content,
    text,
    message.content[0].text,
    streamed,
    generated,
    await stream.text,
  ]
}

function clients(url) {
  return {
    openai: new OpenAI({ baseURL: url }),
    anthropic: new Anthropic({ baseURL: url.replace(/\/v1$/, '') }),
    provider: createOpenAICompatible({ name: 'p', baseURL: url, apiKey: 'k' }),
  }
}

await ask('direct', clients(baseUrl))
await ask('wrapper', { openai: maskedOpenai, anthropic: maskedAnthropic, provider: maskedProvider })

const bin = new URL('node_modules/.bin/observation-masking-proxy', import.meta.url).pathname
const flags = ['--target', baseUrl, '--config', policyPath, '--port', '0']
const proxy = spawn(bin, flags, { stdio: ['ignore', 'ignore', 'pipe'] })
const [said] = await once(proxy.stderr, 'data')
const [proxyUrl] = /http:\/\/[\d.:]+/.exec(String(said))
await ask('proxy', clients(`${proxyUrl}/v1`))
proxy.kill()

const { chat } = new OpenAI({ fetch: maskingFetch })
await chat.completions.create({ model: 'm', messages: histories.chat })

server.listen(0, '127.0.0.1')
await once(server, 'listening')
const post = async () => {
  const body = readFileSync('route-body.json')
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/`, { method: 'POST', body })
  return (await answer.json()).choices[0].message.content
}
answers.route = [await post()]
flag.enabled = false
answers.route.push(await post())
server.close()

const { countTokens } = await loadEncoding('o200k_base')
console.log(
  JSON.stringify({
    answers,
    masked: mask(histories.chat),
    exported: exportedMask(histories.chat),
    tokens: countTokens('hello world'),
    repaired: repairArguments('{"a": 1'),
    loop: typeof createToolLoop({ tools: [] }).run,
  }),
)
