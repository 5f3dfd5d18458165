/** Signs of a program, a command, a query or a patch, which sentences around JSON do not have. */
const SIGNS: readonly RegExp[] = [
  // A statement: `x = 1`, `const x: T = 1`, `x += 1`, also on an added or removed line of a patch.
  /^[ \t+>-]*(?:[a-z]+[ \t]+){0,3}[\w.$[\]'"]+(?:[ \t]*:[ \t]*[\w.[\]<>]+)?[ \t]*[-+*/|&]?=[^=]/m,
  /[\w\])]\((?!s\))/,
  /;[ \t]*$/m,
  /=>|->|::|<\/|&&|\|[ \t]*[a-z]|\$[\w({]|[^\w\s]--?[a-z]/,
  /^[ \t]*(?:import|from|def|class|return|for|while|if|else|try|package|func|fn|public|private|static|async|using|export|echo|cat|ls|cd|git|npm|sudo)\b(?![^\n]*[.:!?][ \t]*$)[^\n]*$/m,
  /^[ \t]*(?:for|while|if|else|try|def|class|with)\b[^\n]{0,200}:[ \t]*$/m,
  /^[ \t]*(?:#!|#include|\*\*\* |@@|diff --git|--- |\+\+\+ )/m,
  /\b(?:SELECT|UPDATE|DELETE|INSERT|CREATE)\b/,
]

/** True if the text reads as code and not as sentences. */
export function isCode(text: string): boolean {
  const reach = text.slice(0, 5000)
  return SIGNS.some((sign) => sign.test(reach))
}
