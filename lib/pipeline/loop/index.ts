/** The tool loop of the package. */
export {
  type Answer,
  answerQuestion,
  type ChatRequest,
  type QuestionOptions,
  type RequestReport,
} from './answer-question'
export { createJsonLinesStore, createMemoryStore, type MessageStore } from './message-store'
export { createToolLoop, type LoopTool, type ToolLoop, type ToolLoopOptions } from './tool-loop'
