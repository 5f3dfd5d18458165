import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Unbroken } from './unbroken'

test.each([
  ['With GPT-5.1, it', 'With <span class="whitespace-nowrap">GPT-5.1</span>, it'],
  ['claude-opus-4-5.', '<span class="whitespace-nowrap">claude-opus-4-5</span>.'],
  ['GPT-5 saves 3%', '<span class="whitespace-nowrap">GPT-5</span> saves 3%'],
  ['re-masking every 4 turns', 're-masking every 4 turns'],
])('%s has no line that ends in a name', (text, html) => {
  expect(renderToStaticMarkup(createElement(Unbroken, { text }))).toBe(html)
})
