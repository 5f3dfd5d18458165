/** Sharing: links, exports, fixtures, presets and comparison. */
export const share = {
  button: 'Share',
  title: 'Share this policy',
  close: 'Close',
  link: {
    label: 'Link with the settings',
    only: 'Settings only, no transcript.',
    length: '{chars, number} characters',
    carries: 'In it: {parts}.',
    parts: {
      policy: 'the policy',
      model: 'the model',
      view: 'the view',
      sample: 'the sample shown',
      conversation: 'the conversation’s number',
      pinned: 'policy A of the comparison',
    },
    stays:
      'Your transcript stays here. Whoever opens the link sees its settings on theirs or on a sample.',
    copy: 'Copy link',
  },
  exportButton: 'Export',
  exportHint: 'Config, JSON, code for your agent',
  export: {
    title: 'Take the policy away',
    description:
      'Ready to run. Where a target cannot do what the policy says, this says what it does instead.',
    targets: 'What for',
    preview: 'Preview: {name}',
    copy: 'Copy',
    save: 'Save {name}',
    names: {
      toml: 'TOML config',
      json: 'JSON',
      library: 'Library call',
      command: 'Command line',
      anthropic: 'Anthropic API',
      langchain: 'LangChain',
      langgraph: 'LangGraph',
      ai_sdk: 'Vercel AI SDK',
      swe_agent: 'SWE-agent',
      openhands: 'OpenHands',
    },
    abouts: {
      toml: '[observation_masking.schema1] as the proxy reads it, extensions apart.',
      json: 'The policy under its published names.',
      library: 'This project’s own function, in TypeScript.',
      command: 'This project’s own command; it prints the masked document.',
      anthropic: 'context_management of the Messages API: the API clears by itself.',
      langchain: 'contextEditingMiddleware with ClearToolUsesEdit, for createAgent.',
      langgraph: 'preModelHook of createReactAgent, or a node of your own.',
      ai_sdk: 'prepareStep of generateText and streamText.',
      swe_agent: 'The history processor last_n_observations.',
      openhands: 'The observation_masking condenser of OpenHands 0.x.',
    },
    effect: {
      title: 'On the conversation here',
      none: 'It clears none of the {all, plural, one {# result} other {# results}}.',
      same: 'It clears the same {cleared, plural, one {# result} other {# results}} of {all, number} as this page.',
      other:
        'It clears {cleared, number} of {all, plural, one {# result} other {# results}}; this page masks {masked, number}. {extra, plural, =0 {} one {# of them is kept here. } other {# of them are kept here. }}{missing, plural, =0 {} one {# that is masked here it leaves.} other {# that are masked here it leaves.}}',
      unknown: 'Which results it clears depends on counts of its own and cannot be told here.',
    },
    instead: 'What it does instead',
    notes: {
      exact: 'It masks exactly what this page masks.',
      off: 'Masking is off, so there is nothing to do.',
      counts_results:
        'It counts results, not turns: it keeps the last {keep, number}, as many as your window of {window, plural, one {# turn} other {# turns}} holds here.',
      counts_calls:
        'It counts tool uses, not turns: it keeps the last {keep, number}, as many as your window of {window, plural, one {# turn} other {# turns}} holds here.',
      counts_steps: 'It counts observations, one a step; several calls in one step are one.',
      counts_events:
        'It counts events, not turns: an action is one, its observation another. {events, number} are about {window, plural, one {# turn} other {# turns}}; messages between them count too.',
      errors_cleared: 'It has no rule for errors: old ones are cleared like any other result.',
      no_last_k:
        'It cannot keep the last {k, number} of each tool; they are cleared once they are old.',
      no_exclude: 'It cannot leave tools out: the excluded ones are cleared too.',
      no_batch:
        'It moves with every new result, not every {batch, number} turns: a prompt cache breaks each time.',
      steps_elsewhere:
        'It moves every {batch, number} steps as well, but at other turns than here: it keeps from {window, number} to {most, number}.',
      no_trigger: 'It cannot wait for {tokens, number} tokens: it masks requests of any size.',
      trigger_estimated:
        'It estimates the {tokens, number} tokens of its trigger, about four characters each.',
      no_never_grow: 'It also clears results shorter than their placeholder.',
      tokens_estimated: 'It estimates tokens, about four characters each.',
      own_placeholder: 'It puts a placeholder of its own; yours is not used.',
      plain_placeholder: 'Its placeholder is one fixed text, without variables: “{placeholder}”.',
      parts_cleared:
        '{n, plural, =0 {It also clears results that are not plain text.} one {It also clears # result that is not plain text.} other {It also clears # results that are not plain text.}}',
      json_outputs:
        'Results that are JSON values count as their text, as chat completions would send them.',
      orphans_removed:
        '{n, plural, one {It takes # result without a call out of the request altogether.} other {It takes # results without a call out of the request altogether.}}',
      beta_header: 'It needs the header anthropic-beta: {header}.',
      version_0: 'It is for versions 0.x; the newer agent SDK has no such condenser.',
    },
    config: {
      title: 'A config you have',
      open: 'Open a config.toml…',
      help: 'Its policy is taken over here, and the policy can be written back into it: everything else in it stays as it is.',
      taken: 'The policy of {name} applies now.',
      problems:
        '{n, plural, one {One thing in it was not used as written:} other {# things in it were not used as written:}}',
      failed: 'Nothing was taken from {name}.',
      back: 'Write into {name}',
      whole: '{name}, with this policy in it',
      forget: 'Forget {name}',
    },
  },
  presets: {
    button: 'Presets',
    title: 'Presets',
    description: 'Starting points. Choosing one replaces the whole policy; undo brings yours back.',
    use: 'Use',
    useNamed: 'Use {name}',
    inUse: 'In use',
    source: 'Source',
    sourceOf: 'Source of {name}',
    read: 'read November 2026',
    own: 'This project’s own',
    needsTurns:
      'Open a conversation with tool calls first: it is translated by what its turns hold.',
    facts: {
      window: '{n, plural, one {# turn} other {# turns}}',
      batch: 'in steps of {n, number}',
      errors: 'errors kept',
      noErrors: 'errors masked',
      trigger: 'from {n} tokens',
      growth: 'never growing',
    },
    names: {
      schema1: 'Schema 1',
      tight: 'Tight',
      cache_friendly: 'Cache-friendly',
      complexity_trap: 'The Complexity Trap',
      swe_agent: 'SWE-agent',
      openhands: 'OpenHands',
      anthropic: 'Anthropic',
      langchain: 'LangChain',
      gemini_cli: 'Gemini CLI',
      opencode: 'OpenCode',
    },
    notes: {
      schema1: 'The default of Schema 1, switched on.',
      tight: 'Few turns, for agents that read a thing, use it and go on.',
      cache_friendly:
        'The default window, moved in steps of 16 turns, so that a cached prefix lasts in between.',
      complexity_trap:
        'The window of 10 turns that the paper measured on SWE-bench Verified. Its placeholder was SWE-agent’s, its runs at most 250 turns long.',
      swe_agent:
        'last_n_observations with n = 5, of the original paper. It counts observations, one a step; tags that keep or remove single ones are lost, and its placeholder counts lines.',
      openhands:
        'attention_window = 100 counts events; an action and its observation are two, so 50 turns of one call. Messages between them, which count there, are lost.',
      anthropic:
        'keep = 3 tool uses from 100,000 input tokens on. Three turns are three uses only where each turn has one call; the API then stays cleared, and its placeholder is its own.',
      langchain:
        'ClearToolUsesEdit with keep = 3 and trigger = 100,000 tokens. It counts results; the tokens are estimated there and counted here.',
      gemini_cli:
        'Keeps the newest 50,000 tokens of tool outputs and masks older ones once there are 30,000 of them. As turns that fits this conversation only; its placeholder shows a piece of the output, which is lost.',
      opencode:
        'Keeps the newest 40,000 tokens of tool outputs and clears older ones once there are 20,000 of them, errors and the tool skill apart. As turns that fits this conversation only; its two last user turns, always kept there, are lost.',
    },
  },
  compare: {
    start: 'Compare',
    startTip: 'Pins the policy as A; what you change from now on is B.',
    end: 'End comparison',
    swap: 'Swap A and B',
    label: 'Comparison of two policies',
    same: 'A is the policy as it is now. Change anything: that is B.',
    change: '{label} {a} → {b}',
    changeOther: '{label} changed',
    more: '{n, plural, one {# more setting} other {# more settings}}',
    request: 'Next request',
    plain: 'Session, no caching',
    cached: 'Session, with caching',
    tokens: '{n} tokens',
    unknown: '–',
    spoken: '{title}: A {a}, B {b}, {change}',
    differing:
      '{n, plural, =0 {No result is decided otherwise} one {# result is decided otherwise} other {# results are decided otherwise}}',
    listTitle: 'Decided otherwise',
    orphan: 'orphan',
    turn: 'turn {turn, number}',
    noTool: 'unnamed tool',
    masked: 'masked',
    kept: 'kept',
    otherText: 'masked, other text',
    goTo: 'Show turn {turn, number}, {tool}',
    goToOrphan: 'Show the orphan result of {tool}',
    rest: '{n, plural, one {# more} other {# more}} not listed',
  },
} as const
