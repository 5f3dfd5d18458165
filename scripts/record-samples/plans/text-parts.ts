import { partsDialect } from '../dialects'
import { capture, createRecorder, expectMatch, type Recorder } from '../recorder'
import type { Sample } from '../sample'
import { edit, grep, list, read, run, write } from '../tools'
import { createWorkspace } from '../workspace'

export const textParts: Sample = {
  id: 'text-parts',
  file: 'text-parts.jsonl',
  title: { en: 'Results as text parts', fr: 'Résultats en parties de texte' },
  shows: {
    en: 'Every result is a list of text parts, one message a line: nothing is maskable until that is switched on.',
    fr: 'Chaque résultat est une liste de parties de texte, un message par ligne : rien ne peut être masqué avant d’activer cette option.',
  },
  async record() {
    const workspace = await createWorkspace('text-box')
    const agent = createRecorder({ workspace, dialect: partsDialect, seed: 4 })
    await writeDocumentation(agent)
    await workspace.remove()
    return agent.messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  },
}

const firstReadme = `# text-box

Draws a frame around text.

    node src/cli.js --width 30 --title note "The quick brown fox jumps over the lazy dog"

| option | values | default |
| --- | --- | --- |
| \`--width\` | whole width with the frame, at least 5 | 40 |
| \`--side\` | \`left\`, \`right\`, \`center\` | \`left\` |
| \`--frame\` | \`plain\`, \`round\`, \`none\` | \`plain\` |
| \`--title\` | any text, in the upper edge | none |
`

/** Writes a README for a small module and tries every sentence before keeping it. */
async function writeDocumentation(agent: Recorder): Promise<void> {
  agent.system('You write documentation. Every example you print must have been run.')
  agent.user(
    'text-box has no README. Write one for people who only want to use the command, with examples that are true, and tell me what behaves badly.',
  )
  await agent.turn('First what there is.', list('.'), read('package.json'))
  await agent.turn('The command line and what it calls.', read('src/cli.js'), read('src/box.js'))
  await agent.turn('The two modules below it.', read('src/wrap.js'), read('src/align.js'))
  const tests = await agent.turn(
    'What is promised by tests:',
    read('test/box.test.js'),
    run('node --test'),
  )
  const passed = capture(tests[1], /# pass (\d+)/)
  await agent.turn(
    `${passed} tests pass, none of them runs the command. The plain example, and the round frame:`,
    run('node src/cli.js --width 30 --title note "The quick brown fox jumps over the lazy dog"'),
    run(
      'node src/cli.js --width 30 --frame round --side center "The quick brown fox jumps over the lazy dog"',
    ),
  )
  const help = await agent.turn('Is there a --help?', run('node src/cli.js --help'))
  expectMatch(help[0], /Unknown option/)
  const wrong = await agent.turn(
    'No, and the answer is a stack trace. The other ways to get it wrong: an unknown frame, an unknown side, a width too small, no text.',
    run('node src/cli.js --frame double hi'),
    run('node src/cli.js --side middle hi'),
    run('node src/cli.js --width 4 hi'),
    run('node src/cli.js --width 10'),
  )
  const side = capture(wrong[1], /TypeError: (.*)/)
  await agent.turn(
    `Only --side has a message a user can act on ("${side}"); --frame ends in "undefined is not iterable". The smallest width that works, by trying:`,
    run(
      'for width in 5 6 7 8; do echo "width $width"; node src/cli.js --width $width "to be" 2>&1 | grep -vE "^ +at|^$|^Node" | head -8; done',
    ),
  )
  await agent.turn(
    '5 works, with one letter a line. A title longer than the frame, and what frame none leaves:',
    run('node src/cli.js --width 12 --title "a rather long title" hi'),
    run('node src/cli.js --width 24 --frame none "one two three four five six" | cat -A'),
  )
  await agent.turn(
    'Two things that behave badly: a long title makes the upper edge longer than the box, and frame none still prints empty lines and a space at both edges. Do wide characters count as one column?',
    run('node src/cli.js --width 16 "日本語 text"; node src/cli.js --width 16 "plain text"'),
    run(
      "printf 'cafe\\u0301 au lait' | xargs -0 node src/cli.js --width 18; node src/cli.js --width 18 'cafe au lait'",
    ),
  )
  await agent.turn(
    'They do: length counts UTF-16 units, so the right edge moves for wide and for combining characters. Both go under limits. First version of the README:',
    write('README.md', firstReadme),
  )
  const lines = await agent.turn(
    'Line breaks in the argument, since wrap.js splits at \\n and that is worth a line:',
    run("node src/cli.js --width 20 $'first line\\n\\nthird line, which is longer'"),
    grep('split\\(', 'src'),
  )
  expectMatch(lines[0], /third line/)
  const missed = await agent.turn(
    'Kept as they are. Into the README, with the limits:',
    edit('README.md', '## Limits\n', '## Limits\n\n- Wide characters count as one column.\n'),
  )
  expectMatch(missed[0], /not found/)
  await agent.turn(
    'There is no such heading yet; I append after the table.',
    edit(
      'README.md',
      '| `--title` | any text, in the upper edge | none |\n',
      `| \`--title\` | any text, in the upper edge | none |

Line breaks in the text stay. A word longer than a line is cut.

    node src/cli.js --width 30 --frame round --side center "The quick brown fox jumps over the lazy dog"

## Limits

- A title longer than \`--width\` minus 5 makes the upper edge stick out.
- \`--frame none\` still prints an empty first and last line and a space at each edge.
- Wide characters and combining marks count as one column each, so the right edge moves.
- An unknown \`--frame\`, \`--help\` and a width below 5 end in a stack trace.
`,
    ),
  )
  const titles = await agent.turn(
    '"minus 5" is a guess from the code. Titles of growing length at width 20, with the length of the upper edge:',
    run(
      `for length in 13 14 15 16 17 18; do title=$(printf "%\${length}s" | tr " " x); edge=$(node src/cli.js --width 20 --title $title hi | head -n 1); echo "title $length edge \${#edge}"; done`,
    ),
  )
  const longest = capture(titles[0], /title (\d+) edge 20\n(?!.*edge 20\n)/)
  const minus = 20 - Number(longest)
  await agent.turn(
    minus === 5
      ? `The longest that fits in 20 is ${longest}: minus 5 is right. Last, every command line of the README run from the README:`
      : `The longest that fits in 20 is ${longest}, so it is minus ${minus}. Corrected; then every command line of the README run from the README:`,
    ...(minus === 5 ? [] : [edit('README.md', 'minus 5 makes', `minus ${minus} makes`)]),
    run(
      'grep -E \'^    node\' README.md | while read -r line; do echo "$ $line"; bash -c "$line"; done',
    ),
    read('README.md'),
  )
  agent.say(
    'README.md is written; both examples in it were run from the file itself. What behaves badly, in the order I would repair it: an unknown --frame and --help (stack traces), titles longer than the edge, --frame none, widths of wide characters.',
  )
}
