import { expect, test } from 'vitest'
import { replaceSection } from './write-section.mjs'

const page = `# Page

<!-- core -->

old

<!-- end of core -->

between

<!-- page -->
<!-- end of page -->

after
`

test('replaces one section and keeps all other text', () => {
  const once = replaceSection(page, 'page', '\n| a | b |\n')
  expect(once).toBe(page.replace('<!-- page -->\n', '<!-- page -->\n\n| a | b |\n\n'))
  const twice = replaceSection(replaceSection(once, 'core', 'new'), 'core', 'newer')
  expect(twice).toBe(once.replace('old', 'newer'))
})

test('names a section that the page lacks', () => {
  expect(() => replaceSection(page, 'other', '')).toThrow(
    'docs/performance.md has no section "other"; expected <!-- other --> and, after it, <!-- end of other -->.',
  )
})
