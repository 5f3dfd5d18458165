import type { ToolName } from './tools'

const text = (description: string) => ({ type: 'string', description })
const wholeNumber = (description: string) => ({ type: 'integer', minimum: 1, description })

function schema(
  name: ToolName,
  description: string,
  properties: Record<string, object>,
  required: readonly string[],
) {
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters: { type: 'object', properties, required, additionalProperties: false },
    },
  }
}

/** The `tools` of a request body: the tools of `tools.ts` with the arguments they take. */
export const toolSchemas: Readonly<Record<ToolName, object>> = {
  list_files: schema(
    'list_files',
    'Lists every file below a folder with its size in bytes, one a line.',
    { path: text('Folder, relative to the workspace.') },
    ['path'],
  ),
  read_file: schema(
    'read_file',
    'Reads a text file with line numbers, whole or from start_line to end_line.',
    {
      path: text('File, relative to the workspace.'),
      start_line: wholeNumber('First line to read.'),
      end_line: wholeNumber('Last line to read.'),
    },
    ['path'],
  ),
  grep: schema(
    'grep',
    'Searches files for an extended regular expression; gives file, line and text.',
    {
      pattern: text('POSIX extended regular expression.'),
      path: text('File or folder to search.'),
    },
    ['pattern', 'path'],
  ),
  edit_file: schema(
    'edit_file',
    'Replaces one passage of a file. old_text must occur exactly once.',
    {
      path: text('File to edit.'),
      old_text: text('The passage as it stands, line breaks included.'),
      new_text: text('What is put in its place.'),
    },
    ['path', 'old_text', 'new_text'],
  ),
  write_file: schema(
    'write_file',
    'Writes a file, folders included; an existing file is replaced.',
    { path: text('File to write.'), content: text('The whole content.') },
    ['path', 'content'],
  ),
  run_command: schema(
    'run_command',
    'Runs a shell command in the workspace and gives its output and exit code.',
    {
      command: text('Command for bash -c.'),
      timeout_seconds: wholeNumber('Seconds after which the command is killed; 30 by default.'),
    },
    ['command'],
  ),
}
