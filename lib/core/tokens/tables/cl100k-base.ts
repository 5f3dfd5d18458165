/** The build of the site replaces this module by its result. */
import tokens from 'gpt-tokenizer/bpeRanks/cl100k_base'
import { packTokens } from '../rank-table'

export const packed: string = packTokens(tokens)
