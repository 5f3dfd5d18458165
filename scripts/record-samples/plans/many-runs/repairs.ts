import { edit, run, type ToolRequest } from '../../tools'

/** One small module with failing tests, and the repair the recorded runs make. */
export interface Repair {
  readonly project: string
  readonly request: string
  /** Shows the module's behaviour before the change. */
  readonly probe: ToolRequest
  readonly steps: readonly RepairStep[]
}

export interface RepairStep {
  readonly text: string
  readonly edits: readonly ToolRequest[]
}

const call = (file: string, code: string) =>
  run(`node -e "import('./${file}').then((module) => { ${code} })"`, 10)

export const repairs: readonly Repair[] = [
  {
    project: 'roman',
    request: 'roman.js: four and nine come out wrong. Make the tests pass.',
    probe: call(
      'roman.js',
      'for (const number of [4, 9, 40, 1994, 0, 1.5]) console.log(number, module.toRoman(number), module.fromRoman(module.toRoman(number)))',
    ),
    steps: [
      {
        text: 'fromRoman knows subtraction already, toRoman has no pairs for it. Adding CM, CD, XC, XL, IX, IV to the list.',
        edits: [
          edit('roman.js', "  ['D', 500],\n", "  ['CM', 900],\n  ['D', 500],\n  ['CD', 400],\n"),
          edit('roman.js', "  ['L', 50],\n", "  ['XC', 90],\n  ['L', 50],\n  ['XL', 40],\n"),
          edit('roman.js', "  ['V', 5],\n", "  ['IX', 9],\n  ['V', 5],\n  ['IV', 4],\n"),
        ],
      },
      {
        text: 'Only the refusal is left: 0 and 1.5 give a text today, as the probe showed.',
        edits: [
          edit(
            'roman.js',
            '  let rest = number\n',
            `  if (!Number.isInteger(number) || number < 1 || number > 3999) {\n    throw new RangeError(\`no Roman numeral for \${number}\`)\n  }\n  let rest = number\n`,
          ),
        ],
      },
    ],
  },
  {
    project: 'median',
    request:
      'median() of an even count is wrong, and someone says it reorders their list. Please fix both.',
    probe: call(
      'median.js',
      'const values = [4, 1, 3, 2]; console.log(module.median(values), values, module.median([100, 9, 20, 3]), module.median([]))',
    ),
    steps: [
      {
        text: 'Two things in four lines: sort() works in place and by text, and the two middle values are middle - 1 and middle. Order first.',
        edits: [
          edit('median.js', 'values.sort()', '[...values].sort((one, other) => one - other)'),
        ],
      },
      {
        text: 'The input stays as it is now. The indices:',
        edits: [
          edit(
            'median.js',
            '(sorted[middle] + sorted[middle + 1]) / 2',
            '(sorted[middle - 1] + sorted[middle]) / 2',
          ),
        ],
      },
    ],
  },
  {
    project: 'slug',
    request: 'Addresses made by slug() look bad: accents vanish, dashes pile up. Tests are there.',
    probe: call(
      'slug.js',
      "for (const title of ['Crème brûlée', 'salt  &  pepper -- again', '(draft) Why?', '   ', 'Straße']) console.log(JSON.stringify(title), JSON.stringify(module.slug(title)))",
    ),
    steps: [
      {
        text: 'A whole run of other characters must become one dash, and dashes at the ends go.',
        edits: [
          edit(
            'slug.js',
            "    .replace(/[^a-z0-9]/g, '-')\n    .replace(/--/g, '-')",
            "    .replace(/[^a-z0-9]+/g, '-')\n    .replace(/^-|-$/g, '')",
          ),
        ],
      },
      {
        text: 'Accents: decompose, then drop the combining marks, before anything else is replaced.',
        edits: [
          edit(
            'slug.js',
            '    .toLowerCase()\n',
            "    .normalize('NFD')\n    .replace(/\\p{M}/gu, '')\n    .toLowerCase()\n",
          ),
        ],
      },
    ],
  },
  {
    project: 'recent-cache',
    request:
      'The cache throws out entries that were just read. It should drop the least recently used one.',
    probe: call(
      'recent-cache.js',
      "const cache = module.createRecentCache(2); cache.set('a', 1); cache.set('b', 2); cache.get('a'); cache.set('c', 3); console.log(cache.keys())",
    ),
    steps: [
      {
        text: 'A Map keeps the order of first insertion; neither get nor a second set moves a key to the end. Deleting before setting does, in both.',
        edits: [
          edit(
            'recent-cache.js',
            '      return entries.get(key)\n',
            '      const value = entries.get(key)\n      entries.delete(key)\n      entries.set(key, value)\n      return value\n',
          ),
          edit(
            'recent-cache.js',
            '      entries.set(key, value)\n      if (entries.size',
            '      entries.delete(key)\n      entries.set(key, value)\n      if (entries.size',
          ),
        ],
      },
      {
        text: 'My get now stores a key that was only asked for. It must do nothing for an absent key, and has() tells absent from undefined.',
        edits: [
          edit(
            'recent-cache.js',
            '      const value = entries.get(key)\n',
            '      if (!entries.has(key)) return undefined\n      const value = entries.get(key)\n',
          ),
        ],
      },
    ],
  },
  {
    project: 'duration',
    request:
      "parseDuration('1h30m') gives one hour. Make duration.js do what its tests say, both directions.",
    probe: call(
      'duration.js',
      "for (const text of ['1h30m', '2d 4h', '5x5m', '']) { try { console.log(text, module.parseDuration(text)) } catch (error) { console.log(text, String(error)) } } console.log(module.formatDuration(5400), module.formatDuration(90061))",
    ),
    steps: [
      {
        text: 'exec without the g flag stops after the first unit. All units with matchAll, and the whole text must have the shape before anything is read.',
        edits: [
          edit(
            'duration.js',
            '  const match = /(\\d+)([smhd])/.exec(text)\n  return Number(match[1]) * seconds[match[2]]',
            `  if (!/^(\\s*\\d+[smhd])+\\s*$/.test(text)) throw new TypeError(\`not a duration: \${JSON.stringify(text)}\`)\n  let sum = 0\n  for (const [, count, unit] of text.matchAll(/(\\d+)([smhd])/g)) sum += Number(count) * seconds[unit]\n  return sum`,
          ),
        ],
      },
      {
        text: 'Reading is right. Writing starts with the smallest unit, since the table does: everything ends up in seconds. The table turned around:',
        edits: [
          edit(
            'duration.js',
            'const seconds = { s: 1, m: 60, h: 3600, d: 86400 }',
            'const seconds = { d: 86400, h: 3600, m: 60, s: 1 }',
          ),
          edit('duration.js', '  return text\n}', "  return text === '' ? '0s' : text\n}"),
        ],
      },
    ],
  },
  {
    project: 'chunk',
    request:
      'chunk() loses the end of the list. While you are there: the test file never finishes.',
    probe: call(
      'chunk.js',
      'for (const list of [[1, 2, 3, 4], [1, 2, 3], [1], []]) console.log(JSON.stringify(list), JSON.stringify(module.chunk(list, 2)))',
    ),
    steps: [
      {
        text: 'The loop ends when start + size reaches the length, so the last piece is always lost. It has to run while start is inside the list.',
        edits: [edit('chunk.js', 'start + size < list.length', 'start < list.length')],
      },
      {
        text: 'Still killed: with size 0 start never moves, and with -1 it moves away. Refused before the loop.',
        edits: [
          edit(
            'chunk.js',
            '  const pieces = []\n',
            `  if (!Number.isInteger(size) || size < 1) throw new RangeError(\`size must be at least 1, not \${size}\`)\n  const pieces = []\n`,
          ),
        ],
      },
    ],
  },
  {
    project: 'digits',
    request:
      'toBase() is wrong for zero, negative numbers and anything large. Please repair it without toString.',
    probe: call(
      'digits.js',
      'for (const number of [0, 10, -10, 2 ** 31, 2 ** 40 + 5]) console.log(number, JSON.stringify(module.toBase(number, 16)))',
    ),
    steps: [
      {
        text: '`| 0` cuts to 32 bits, which ruins everything from 2^31 on. Math.floor instead.',
        edits: [edit('digits.js', '(rest / base) | 0', 'Math.floor(rest / base)')],
      },
      {
        text: 'Large numbers agree with toString now as far as they are positive. Zero never enters the loop and neither do negative numbers.',
        edits: [
          edit(
            'digits.js',
            '  let rest = number\n',
            "  if (number === 0) return '0'\n  let rest = Math.abs(number)\n",
          ),
          edit('digits.js', '  return text\n', `  return number < 0 ? \`-\${text}\` : text\n`),
        ],
      },
    ],
  },
]
