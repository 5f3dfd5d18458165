/** The build of the site replaces this module by its result. */
import tokens from 'gpt-tokenizer/bpeRanks/cl100k_base'
import { packTokens } from '../byte-pair-merge'

export const packed: string = packTokens(tokens)
