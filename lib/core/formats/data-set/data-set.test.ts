import { expect, test } from 'vitest'
import { readDocument } from '../read-document'

test('a chat whose answers end with code blocks is a chat', () => {
  const answer = (command: string) => ({
    role: 'assistant',
    content: `Run this:\n\n\`\`\`\n${command}\n\`\`\``,
  })
  const asked = { role: 'user', content: 'And to submit it?' }
  const read = (...commands: string[]) =>
    readDocument(JSON.stringify(commands.flatMap((command) => [asked, answer(command)])))
  expect(read('git add .', 'git push').format.id).toBe('openai-chat')
  const { format, conversations } = read('git add .', 'submit')
  expect([format.id, conversations[0]?.results.length]).toEqual(['data-set', 1])
})
