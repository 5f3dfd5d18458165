/** The help page. It loads by itself, so these texts are not among those of the playground. */
export const help = {
  title: 'How masking works',
  intro:
    'An agent that calls tools sends its whole history with every request, old tool outputs included. Masking replaces the content of old tool results by one line, the placeholder. Ids, order, calls and all other messages stay as they are.',
  open: 'Open the playground',
  example: {
    title: 'Try it',
    text: 'Eleven requests of an agent that calls one tool in each turn. Each row is a request, each square a tool result that it sends. The sixth result is an error.',
    window: 'Window',
    batch: 'Advance every',
    turns: '{n, plural, one {# turn} other {# turns}}',
    caption: 'Which results each request sends',
    request: 'Request {n, number}',
    result: 'Result {n, number}',
    sent: 'sent',
    placeholder: 'placeholder',
    error: 'sent, an error',
    changed: 'changed since the request before',
    summary:
      '{sent, number} of {all, number} results are sent in full. {breaks, plural, =0 {No request changes} one {One request changes} other {# requests change}} what the one before had sent.',
  },
  turns: {
    title: 'Turns and the window',
    a: 'A turn begins with each assistant message that calls tools. Its results belong to it, however many there are.',
    b: 'The window is the number of latest turns whose results are kept. It counts turns; it does not know when an older result matters.',
    c: '“Advance every” moves the window in steps. Between two steps nothing that was sent changes.',
  },
  kept: {
    title: 'What is kept, and why',
    text: 'Every result has a reason, in the panes and in the table of results:',
  },
  caching: {
    title: 'Prompt caching',
    a: 'Providers charge much less for the start of a request that they have seen before. A result that becomes a placeholder ends that start there: everything after it is charged in full once more.',
    b: 'A window that advances every turn does this with every request, and can cost more than sending everything. Larger steps do it rarely. The chart under the window shows the cost of every setting, and the verdict names the one to take.',
    c: 'Each provider has a rule of its own: how long a start must be, how far back it looks, how long entries live. The rules, with source and date, are in the prices of the model.',
  },
  forgetting: {
    title: 'What forgetting costs',
    a: 'The playground finds terms that only a tool result had told the model and that a later answer uses. If masking takes such a result away first, the use is lost: the agent may call the tool again, or guess.',
    b: 'The verdict counts lost uses, and gives the cost if each of them is fetched once more as the worst case.',
  },
  limits: {
    title: 'Limits',
    a: 'The replay assumes that the agent takes the same steps with and without masking. What it would have done without an old result is unknown.',
    b: 'Tokens are exact for models whose tokenizer is public, and estimates for the others; the page says which.',
    c: 'Masking is not redaction: placeholders name tools and ids, and everything else is sent.',
  },
  news: {
    title: 'What is new',
    version: 'This is version {version}.',
    offline:
      'The site works offline after one visit, and can be installed. The page says when a new version is ready.',
    french: 'French, by the language of the browser or the switch at the bottom.',
    verdict: 'The verdict comes first: what the setting costs or saves, and a better one.',
    figures:
      'Links with the figures of a session, without its transcript. Printing prints the report.',
    embed: 'Code that shows the playground in a frame of another page.',
    fleet: 'One setting for all sessions of a file list, with a report; rows of Parquet files.',
    drawers: 'The bar at the bottom opens cost, results, tool calls and files.',
    first:
      'First version: reading, masking, costs, later uses, repair of arguments, repeated calls, the next request, exports, command line and proxy.',
  },
  privacy: {
    title: 'What stays private',
    text: 'Everything is computed in your browser. What you paste is sent nowhere; drafts are stored in this browser until you delete them.',
  },
}
