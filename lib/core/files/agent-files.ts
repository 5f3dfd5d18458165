/** Which files are transcripts of sub-agents, and of which session. */

/** How much of an agent's file says its session, in bytes. */
export const AGENT_START_BYTES = 4096

/** Files by path, in their order; those of sub-agents, which are a part of a session, stand with its file if it is among them. */
export function groupAgents<F>(
  files: readonly F[],
  pathOf: (file: F) => string,
  sessionOf: (file: F) => string | undefined,
) {
  const groups = new Map(files.map((file) => [pathOf(file), { file, agents: [] as F[] }]))
  for (const file of files) {
    const session = groups.get(sessionOf(file) ?? '')
    if (session === undefined || session.file === file) continue
    session.agents.push(file)
    groups.delete(pathOf(file))
  }
  return [...groups.values()]
}

/** True if the name is that of a sub-agent's file. */
export const isAgentFile = (path: string): boolean => /(?:^|\/)agent-[^/]*\.jsonl$/.test(path)

/**
 * The path of the session that started a sub-agent. Claude Code writes `SESSION/subagents/agent-ID.jsonl` beside
 * `SESSION.jsonl`; older versions wrote `agent-ID.jsonl` beside it, with the session's id in each line.
 * `start`: the first bytes of the file as a text.
 */
export function sessionOfAgent(path: string, start: string): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  if (folder.endsWith('/subagents/')) return `${folder.slice(0, -'/subagents/'.length)}.jsonl`
  const id = /"sessionId"\s*:\s*"([\w-]+)"/.exec(start)?.[1]
  return id === undefined ? undefined : `${folder}${id}.jsonl`
}
