import AiTokenizer from 'ai-tokenizer'
import * as aiEncoding from 'ai-tokenizer/encoding/o200k_base'
import { countTokens as countByLibrary } from 'gpt-tokenizer/encoding/o200k_base'
import { get_encoding } from 'tiktoken'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { type Block, compare } from './compare'
import { LINE } from './transcripts'

export async function measureCounting(): Promise<Block[]> {
  const { countTokens } = await loadEncoding('o200k_base')
  const aiTokenizer = new AiTokenizer(aiEncoding)
  const tiktoken = get_encoding('o200k_base')
  let runs = 0
  const blocks: Block[] = []
  const kinds = [
    ['source code', LINE.repeat(400), 2],
    ['one letter', 'a'.repeat(4_000), 1],
    ['spaces', ' '.repeat(4_000), 1],
    ['Chinese', '漢字'.repeat(1_000), 1],
  ] as const
  for (const [kind, text, atMost] of kinds) {
    // A number that changes makes each text new to the caches of whole texts and long runs.
    const fresh = (): string => `${text}${text.at(-1)?.repeat(runs++ % 97)}${runs}`
    blocks.push(
      await compare(`Counting ${text.length.toLocaleString('en')} characters of ${kind}`, [
        { name: 'gpt-tokenizer', run: () => countByLibrary(fresh()) },
        { name: 'ai-tokenizer', run: () => aiTokenizer.count(fresh()) },
        { name: 'tiktoken (WASM)', run: () => tiktoken.encode_ordinary(fresh()).length },
        { name: '`countTokens`', run: () => countTokens(fresh()), atMost },
      ]),
    )
  }
  tiktoken.free()
  return blocks
}
