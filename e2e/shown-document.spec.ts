import { turnOf } from '../lib/core/testing/conversation-of'
import { expect, test } from './fixtures'

/** What the page shows of a document, by its place on the page. */
type Parts = Readonly<Record<string, string>>

declare global {
  /** Reads the parts now on the page; set by the test. */
  var partsNow: () => { readonly name: string; readonly isOld: boolean; readonly parts: Parts }
}

/** Runs in the page. */
function defineParts(): void {
  globalThis.partsNow = () => {
    const textOf = (element: Element | null | undefined) => element?.textContent ?? ''
    const all = (selector: string) => [...document.querySelectorAll(selector)]
    const starting = (selector: string, start: RegExp) =>
      all(selector).find(({ textContent }) => start.test(textContent))
    const verdict = document.querySelector('[aria-label="Verdict"]')
    const map = starting('table', /^Session cost at worst/)
    const badge = starting('button', /^Document details:/)
    const meters = document.querySelector('[aria-label="Effect of masking"]')
    const cells = [...(map?.querySelectorAll('button') ?? [])].map(({ ariaLabel }) => ariaLabel)
    return {
      name: /^Document details:(\w+\.json)/.exec(textOf(badge))?.[1] ?? '',
      isOld: meters?.closest('[aria-busy=true]') !== null,
      parts: {
        verdict: textOf(verdict),
        tokens: textOf(verdict?.nextElementSibling?.firstElementChild),
        flag: textOf(starting('p', /^\$[\d.]+ ·/)),
        map: cells.join(' '),
        found: textOf(document.querySelector('[aria-label="What the tools found"]')),
        placeholders: textOf(starting('span', /^\d+ tokens, total/)),
        report: textOf(document.querySelector('[aria-label="Cost"] [aria-busy]')),
      },
    }
  }
}

test('nothing shown is of another document than the one named', async ({ page, playground }) => {
  await playground.reuse()
  await playground.show('Cost')
  await page.evaluate(defineParts)
  // All that is shown while a document is named.
  const seen = await page.evaluateHandle(() => {
    const all: ReturnType<typeof partsNow>[] = []
    new MutationObserver(() => all.push(partsNow())).observe(document.body, {
      ...{ subtree: true, childList: true, characterData: true, attributes: true },
    })
    return all
  })
  const partsOf = new Map<string, Parts>()
  const turnsOf = { 'one.json': 30, 'other.json': 60, 'third.json': 90 }
  for (const [name, turns] of Object.entries(turnsOf)) {
    const usage = { prompt_tokens: 9000, completion_tokens: 40 }
    const messages = Array.from({ length: turns }, (_, turn) =>
      turnOf(`call-${turn}`, `line ${turn}\n`.repeat(200)).map((message) =>
        // What the first log was charged is not said of the others.
        name === 'one.json' && message.role === 'assistant' ? { ...message, usage } : message,
      ),
    ).flat()
    await playground.openBytes(name, Buffer.from(JSON.stringify(messages)))
    await playground.shows(name)
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    const isComplete = () => Object.values(partsNow().parts).every((text) => text !== '')
    await page.waitForFunction(isComplete)
    await playground.button('Why?').click()
    const charge = page.getByRole('dialog').getByText('counted costs $')
    await expect(charge).toHaveCount(name === 'one.json' ? 1 : 0)
    await page.keyboard.press('Escape')
    partsOf.set(name, await page.evaluate(() => partsNow().parts))
  }
  const all = [...partsOf.values()]
  for (const part of Object.keys(all[0] as Parts))
    expect(new Set(all.map((parts) => parts[part])).size, part).toBe(all.length)

  const wrong = (await seen.jsonValue()).flatMap(({ name, isOld, parts }) =>
    isOld || !partsOf.has(name)
      ? []
      : [...partsOf]
          .filter(([other]) => other !== name)
          .flatMap(([other, its]) =>
            Object.keys(parts)
              .filter((part) => parts[part] === its[part])
              .map((part) => `${name} with the ${part} of ${other}`),
          ),
  )
  expect([...new Set(wrong)]).toEqual([])
})

test('a sample shows no cost of the sample before it', async ({ playground }) => {
  await playground.reuseSample()
  const unmasked = playground.timeline.getByText(/^not masking \$/)
  const before = (await unmasked.textContent()) ?? ''
  // Without a setting that masks something, no place of the edge costs anything else.
  await playground.follow('v=2&s=text-parts')
  await playground.shows('text-parts.jsonl')
  await expect(unmasked).toHaveText(/\$/)
  await expect(unmasked).not.toHaveText(before)
})
