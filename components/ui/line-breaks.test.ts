import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BrokenAtSigns, Unbroken } from './line-breaks'

test.each([
  ['With GPT-5.1, it', 'With <span class="whitespace-nowrap">GPT-5.1</span>, it'],
  ['claude-opus-4-5.', '<span class="whitespace-nowrap">claude-opus-4-5</span>.'],
  ['GPT-5 saves 3%', '<span class="whitespace-nowrap">GPT-5</span> saves 3%'],
  ['re-masking every 4 turns', 're-masking every 4 turns'],
])('%s has no line that ends in a name', (text, html) => {
  expect(renderToStaticMarkup(createElement(Unbroken, { text }))).toBe(html)
})

test('a line ends after a sign of a name rather than within its words', () => {
  const html = renderToStaticMarkup(createElement(BrokenAtSigns, { text: 'keep.last_n=2' }))
  expect(html).toBe('keep.<wbr/>last_<wbr/>n=2<wbr/>')
})
