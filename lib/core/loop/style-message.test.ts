import { expect, test } from 'vitest'
import { STYLE_MESSAGES } from './loop-texts'

test.each<[keyof typeof STYLE_MESSAGES, readonly RegExp[], RegExp]>([
  [
    'en',
    [
      /^1\. Context/,
      /^2\. Summary/,
      /^3\. Display.* 3 to 5 lines.*"…"/,
      /^4\. Next step/,
      /^Strict/,
    ],
    /4 to 6 sentences.*no raw JSON.*no recap.*no apologies.*warm/s,
  ],
  [
    'fr',
    [
      /^1\. Contexte/,
      /^2\. Résumé/,
      /^3\. Affichage.* 3 à 5 .*lignes.*« … »/,
      /^4\. Suite/,
      /^Règles/,
    ],
    /4 à 6 phrases.*pas de JSON brut.*pas de rappel.*pas d'excuses.*chaleureux/s,
  ],
])('the style message %s has four steps and the strict rules', (language, steps, rules) => {
  const lines = STYLE_MESSAGES[language].split('\n').slice(1)
  expect(lines).toHaveLength(steps.length)
  for (const [at, step] of steps.entries()) expect(lines[at]).toMatch(step)
  expect(STYLE_MESSAGES[language]).toMatch(rules)
})
