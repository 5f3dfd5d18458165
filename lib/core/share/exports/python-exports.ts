/**
 * Python: the policy as one module without packages, for Python 3.9 and later, and the same module as a hook of the
 * LiteLLM proxy. `async_pre_call_hook` of `CustomLogger` gets (user_api_key_dict, cache, data, call_type) and returns the
 * request to send. Read November 2026 in litellm/integrations/custom_logger.py:
 * https://docs.litellm.ai/docs/proxy/call_hooks
 */
import type { MaskPolicy } from '../../policy/policy'
import { POLICY_FIELDS } from '../../policy/policy-fields'
import { type ExportInput, type ExportTarget, isMaskingOff, maskedBy, note } from './export-target'
import { PYTHON_SOURCE } from './python-source'
import { PYTHON_TEXT_SOURCE } from './python-text-source'

export const pythonExport = pythonTarget('python', 'observation_masking.py', moduleSource)

export const litellmExport = pythonTarget(
  'litellm',
  'observation_masking_litellm.py',
  (policy) => `${codeSource(LITELLM_HEADER, LITELLM_IMPORTS, policy)}${hookSource(policy)}`,
)

function pythonTarget<Id extends string>(
  id: Id,
  fileName: string,
  source: (policy: MaskPolicy) => string,
): ExportTarget<Id> {
  const write = (input: ExportInput) => {
    const { policy } = input
    const counts = needsCounts(policy)
    const notes = [
      ...(isMaskingOff(policy) ? [note('off')] : []),
      ...(counts ? [note(id === 'litellm' ? 'counts_of_model' : 'needs_counter')] : []),
    ]
    return {
      text: source(policy),
      notes: notes.length === 0 ? [note('exact')] : notes,
      cleared: counts ? undefined : maskedBy(input),
    }
  }
  return { id, fileName, mediaType: 'text/x-python', write }
}

function needsCounts(policy: MaskPolicy): boolean {
  const { neverGrow, triggerTokens, placeholderTemplate } = policy
  if (isMaskingOff(policy)) return false
  return neverGrow || triggerTokens > 0 || placeholderTemplate.includes('{original_tokens}')
}

function moduleSource(policy: MaskPolicy): string {
  const counts = needsCounts(policy)
  const header = `Masks old tool results in OpenAI chat messages; everything else stays.

Save as observation_masking.py beside your agent. Python 3.9 or later, no packages.
For the example: pip install ${counts ? 'openai tiktoken' : 'openai'}

    from openai import OpenAI
    from observation_masking import mask_old_tool_results
${counts ? COUNTER_EXAMPLE : ''}
    messages = [...]  # your history: keep it as it is, and mask what you send
    answer = OpenAI().chat.completions.create(
        model="gpt-5", tools=tools, messages=mask_old_tool_results(messages${counts ? ', count_tokens=count_tokens' : ''}))

Roll back with "enabled": False in POLICY: the messages are then sent unchanged.`
  return codeSource(header, IMPORTS, policy)
}

const COUNTER_EXAMPLE = `    import tiktoken

    def count_tokens(text):  # this policy needs token counts
        return len(tiktoken.get_encoding("o200k_base").encode(text, disallowed_special=()))
`

const IMPORTS = ['import json', 'import re', 'from decimal import Decimal']

const LITELLM_HEADER = `Masks old tool results in every request of a LiteLLM proxy; everything else stays.

Install: pip install "litellm[proxy]"
Save as observation_masking_litellm.py beside config.yaml, and add to that:

    litellm_settings:
      callbacks: observation_masking_litellm.proxy_handler_instance

Start: litellm --config config.yaml
Roll back with "enabled": False in POLICY.`

const LITELLM_IMPORTS = [
  'import json',
  'import logging',
  'import re',
  'from decimal import Decimal',
  '',
  'import litellm',
  'from litellm.integrations.custom_logger import CustomLogger',
]

function hookSource(policy: MaskPolicy): string {
  const counter = needsCounts(policy)
    ? `
                def count_tokens(text):
                    return litellm.token_counter(model=data.get("model", ""), text=text)

                data["messages"] = mask_old_tool_results(data["messages"], count_tokens=count_tokens)`
    : `
                data["messages"] = mask_old_tool_results(data["messages"])`
  return `

class ObservationMasking(CustomLogger):
    """Masks before the request is sent; a failure is logged, and the request is sent as it is."""

    async def async_pre_call_hook(self, user_api_key_dict, cache, data, call_type):
        if isinstance(data.get("messages"), list):
            try:${counter}
            except Exception:
                logging.getLogger(__name__).exception("The request is sent unmasked.")
        return data


proxy_handler_instance = ObservationMasking()
`
}

function codeSource(header: string, imports: readonly string[], policy: MaskPolicy): string {
  const settings = POLICY_FIELDS.map(
    ({ toml, key }) => `    ${JSON.stringify(toml)}: ${pythonLiteral(policy[key])},\n`,
  )
  return `"""${header}\n"""\n\n${imports.join('\n')}\n\nPOLICY = {\n${settings.join('')}}\n${PYTHON_SOURCE}${PYTHON_TEXT_SOURCE}`
}

/** JSON texts and lists are Python too; lone surrogates are escaped in both. */
function pythonLiteral(value: MaskPolicy[keyof MaskPolicy]): string {
  if (typeof value !== 'boolean') return JSON.stringify(value)
  return value ? 'True' : 'False'
}
