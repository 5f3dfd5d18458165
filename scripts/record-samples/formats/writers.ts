import type { FormatWriter } from './format-writer'
import { agentsSdkRunState } from './write-agents-sdk'
import { aiSdkModelMessages, aiSdkUiMessages, aiSdkUiMessagesVersion4 } from './write-ai-sdk'
import { anthropicBody, anthropicLines } from './write-anthropic-messages'
import { atifTrajectory } from './write-atif'
import { bedrockBody } from './write-bedrock-converse'
import { claudeCodeSession, claudeCodeStream } from './write-claude-code'
import { codexOlderSession, codexSession } from './write-codex'
import { copilotChatExport } from './write-copilot-chat'
import { copilotCliSession } from './write-copilot-cli'
import { shareGpt, sweSmithRow } from './write-data-set'
import { geminiBody, geminiCliSession, geminiOlderContents } from './write-gemini'
import { gooseSession } from './write-goose'
import { inspectLog, inspectSample } from './write-inspect'
import { kimiCodeSession } from './write-kimi-code'
import { langchainSerialised, langchainStored, langgraphThread } from './write-langchain'
import { langfuseDownload, langfuseTrace } from './write-langfuse'
import { networkPanelHar } from './write-network-panel'
import { openaiChatBody } from './write-openai-chat'
import { responsesBody, responsesLines } from './write-openai-responses'
import { opencodeSession } from './write-opencode'
import { openhandsCompletion, openhandsEvents, openhandsTrajectory } from './write-openhands'
import {
  mlflowTrace,
  opentelemetryOtlp,
  opentelemetrySpans,
  phoenixSpans,
} from './write-opentelemetry'
import { piSession } from './write-pi'
import { pydanticAiMessages } from './write-pydantic-ai'
import { qwenCodeSession } from './write-qwen-code'
import { anthropicStream, geminiStream, openaiChatStream, responsesStream } from './write-streams'
import {
  miniSweAgentBlocks,
  miniSweAgentCalls,
  sweAgentActions,
  sweAgentFunctionCalls,
} from './write-swe-agent'

/** All writers, sorted by format name. */
export const WRITERS: readonly FormatWriter[] = [
  agentsSdkRunState,
  aiSdkModelMessages,
  aiSdkUiMessages,
  aiSdkUiMessagesVersion4,
  anthropicBody,
  anthropicLines,
  anthropicStream,
  atifTrajectory,
  bedrockBody,
  claudeCodeSession,
  claudeCodeStream,
  codexSession,
  codexOlderSession,
  copilotChatExport,
  copilotCliSession,
  shareGpt,
  geminiBody,
  geminiOlderContents,
  geminiCliSession,
  geminiStream,
  gooseSession,
  inspectLog,
  inspectSample,
  kimiCodeSession,
  langchainSerialised,
  langchainStored,
  langgraphThread,
  langfuseTrace,
  langfuseDownload,
  openaiChatBody,
  openaiChatStream,
  opencodeSession,
  networkPanelHar,
  opentelemetryOtlp,
  opentelemetrySpans,
  mlflowTrace,
  phoenixSpans,
  openhandsTrajectory,
  openhandsEvents,
  openhandsCompletion,
  piSession,
  pydanticAiMessages,
  qwenCodeSession,
  sweAgentFunctionCalls,
  sweAgentActions,
  miniSweAgentCalls,
  miniSweAgentBlocks,
  sweSmithRow,
  responsesBody,
  responsesLines,
  responsesStream,
]
