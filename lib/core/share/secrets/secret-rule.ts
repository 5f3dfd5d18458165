export const PATTERN_KINDS = [
  'anthropic',
  'openai',
  'google',
  'aws',
  'github',
  'stripe',
  'xai',
  'groq',
  'huggingface',
  'langsmith',
  'nvidia',
  'perplexity',
  'replicate',
  'tavily',
  'fireworks',
  'pypi',
  'digitalocean',
  'twilio',
  'telegram',
  'notion',
  'supabase',
  'atlassian',
  'sentry',
  'azure',
  'discord',
  'vercel',
  'mailgun',
  'age',
  'doppler',
  'cookie',
  'jwt',
  'bearer',
  'basic',
  'private_key',
  'url_password',
  'assigned',
  'email',
] as const

export type PatternKind = (typeof PATTERN_KINDS)[number]

export interface SecretRule {
  readonly kind: PatternKind
  /** Global. The secret is group `secret`; without that group, the text of group `before` plus the match. */
  readonly pattern: RegExp
  /** False for a match that is not a secret; without it, every match is one. The source has its escapes. */
  readonly isSecret?: (text: string, source: string) => boolean
}
