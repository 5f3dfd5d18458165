import type { PhraseTable } from '../phrases'

/** Names of formats, which the first view shows. */
export const FORMAT_PHRASES: PhraseTable = {
  'OpenAI chat': 'chat OpenAI',
  'Agents SDK run state': 'état d’exécution Agents SDK',
  'ATIF trajectory': 'trajectoire ATIF',
  'Claude Code session': 'session Claude Code',
  'Codex session': 'session Codex',
  'Copilot CLI session': 'session Copilot CLI',
  'Goose session': 'session Goose',
  'Kimi Code session': 'session Kimi Code',
  'opencode session': 'session opencode',
  'pi session': 'session pi',
  'Qwen Code session': 'session Qwen Code',
  'Inspect log': 'journal Inspect',
  'Langfuse trace': 'trace Langfuse',
  'Data set': 'jeu de données',
  'Pydantic AI messages': 'messages Pydantic AI',
  'VS Code chat': 'chat VS Code',
}
