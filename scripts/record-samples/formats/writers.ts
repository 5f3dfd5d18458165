import { aiSdkModelMessages, aiSdkUiMessages, aiSdkUiMessagesVersion4 } from './ai-sdk'
import { anthropicBody, anthropicLines } from './anthropic-messages'
import { bedrockBody } from './bedrock-converse'
import { claudeCodeSession, claudeCodeStream } from './claude-code'
import { codexOlderSession, codexSession } from './codex'
import type { FormatWriter } from './format-writer'
import { geminiBody, geminiCliSession, geminiOlderContents } from './gemini'
import { inspectLog, inspectSample } from './inspect'
import { langchainSerialised, langchainStored, langgraphThread } from './langchain'
import { langfuseDownload, langfuseTrace } from './langfuse'
import { networkPanelHar } from './network-panel'
import { openaiChatBody } from './openai-chat'
import { responsesBody, responsesLines } from './openai-responses'
import { openhandsCompletion, openhandsEvents, openhandsTrajectory } from './openhands'
import { opentelemetryOtlp, opentelemetrySpans } from './opentelemetry'
import {
  miniSweAgentBlocks,
  miniSweAgentCalls,
  sweAgentActions,
  sweAgentFunctionCalls,
} from './swe-agent'

/** In the order of the formats' names; one writer a file beside this one. */
export const WRITERS: readonly FormatWriter[] = [
  aiSdkModelMessages,
  aiSdkUiMessages,
  aiSdkUiMessagesVersion4,
  anthropicBody,
  anthropicLines,
  bedrockBody,
  claudeCodeSession,
  claudeCodeStream,
  codexSession,
  codexOlderSession,
  geminiBody,
  geminiOlderContents,
  geminiCliSession,
  inspectLog,
  inspectSample,
  langchainSerialised,
  langchainStored,
  langgraphThread,
  langfuseTrace,
  langfuseDownload,
  openaiChatBody,
  networkPanelHar,
  opentelemetryOtlp,
  opentelemetrySpans,
  openhandsTrajectory,
  openhandsEvents,
  openhandsCompletion,
  sweAgentFunctionCalls,
  sweAgentActions,
  miniSweAgentCalls,
  miniSweAgentBlocks,
  responsesBody,
  responsesLines,
]
