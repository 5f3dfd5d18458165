/**
 * Python: the policy as one module without packages, for Python 3.9 and later, and the same module as a hook of the
 * LiteLLM proxy. `async_pre_call_hook` of `CustomLogger` gets (user_api_key_dict, cache, data, call_type) and returns the
 * request to send. Read November 2026 in litellm/integrations/custom_logger.py:
 * https://docs.litellm.ai/docs/proxy/call_hooks
 */
import type { PolicyOfModel } from '../../policy/break-even'
import { isMaskingOff, type MaskPolicy, needsCounts, POLICY_FIELDS } from '../../policy/policy'
import type { Say } from '../../words/comments'
import type { WriteExport } from './export-target'
import { pythonSource } from './python-source'
import { pythonTextSource, pythonWindowSource } from './python-text-source'

export const litellmHook: WriteExport = ({ policy }, say) =>
  `${codeSource(litellmHeader(say), LITELLM_IMPORTS, policy, say)}${hookSource(policy, say)}`

/** True if the policy needs a function that counts tokens. */
function isCounting(policy: MaskPolicy): boolean {
  return !isMaskingOff(policy) && needsCounts(policy)
}

export const pythonModule: WriteExport = ({ policy }, say) => {
  const counts = isCounting(policy)
  const header = `${say('masks_openai_messages')}

${say('save_python')}
${say('example_packages', { packages: counts ? 'openai tiktoken' : 'openai' })}

    from openai import OpenAI
    from observation_masking import mask_old_tool_results
${counts ? counterExample(say) : ''}
    messages = [...]  # ${say('your_history')}
    answer = OpenAI().chat.completions.create(
        model="gpt-5", tools=tools, messages=mask_old_tool_results(messages${counts ? ', count_tokens=count_tokens' : ''}))

${say('roll_back_messages')}`
  return codeSource(header, IMPORTS, policy, say)
}

const counterExample = (say: Say) => `    import tiktoken

    def count_tokens(text):  # ${say('needs_counts')}
        return len(tiktoken.get_encoding("o200k_base").encode(text, disallowed_special=()))
`

const IMPORTS = [
  ...['import json', 'import math', 'import re'],
  ...['from datetime import datetime', 'from decimal import Decimal'],
]

const litellmHeader = (say: Say) => `${say('masks_litellm')}

${say('install_litellm')}
${say('save_litellm')}

    litellm_settings:
      callbacks: observation_masking_litellm.proxy_handler_instance

${say('start_litellm')}
${say('roll_back')}`

const LITELLM_IMPORTS = [
  'import json',
  'import logging',
  'import math',
  'import re',
  'from datetime import datetime',
  'from decimal import Decimal',
  '',
  'import litellm',
  'from litellm.integrations.custom_logger import CustomLogger',
]

function hookSource(policy: MaskPolicy, say: Say): string {
  const counter = isCounting(policy)
    ? `
                def count_tokens(text):
                    return litellm.token_counter(model=data.get("model", ""), text=text)

                data["messages"] = mask_old_tool_results(data["messages"], count_tokens=count_tokens)`
    : `
                data["messages"] = mask_old_tool_results(data["messages"])`
  return `

class ObservationMasking(CustomLogger):
    """${say('masks_before_sent')}"""

    async def async_pre_call_hook(self, user_api_key_dict, cache, data, call_type):
        if isinstance(data.get("messages"), list):
            try:${counter}
            except Exception:
                logging.getLogger(__name__).exception("The request is sent unmasked.")
        return data


proxy_handler_instance = ObservationMasking()
`
}

function codeSource(header: string, imports: readonly string[], policy: PolicyOfModel, say: Say) {
  const settings = POLICY_FIELDS.map(
    ({ toml, key }) => `    ${JSON.stringify(toml)}: ${pythonLiteral(policy[key])},\n`,
  )
  return `"""${header}\n"""\n\n${imports.join('\n')}\n\nPOLICY = {\n${settings.join('')}}\n${pythonSource(say)}${pythonWindowSource(policy, say)}${pythonTextSource(say)}`
}

/** JSON texts and lists are Python too; lone surrogates are escaped in both. */
function pythonLiteral(value: MaskPolicy[keyof MaskPolicy]): string {
  if (typeof value !== 'boolean') return JSON.stringify(value)
  return value ? 'True' : 'False'
}
