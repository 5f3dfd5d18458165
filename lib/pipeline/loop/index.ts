/** The tool loop of the package. */
export {
  type Answer,
  answerQuestion,
  type ChatRequest,
  createJsonLinesStore,
  createMemoryStore,
  type MessageStore,
  type QuestionOptions,
  type RequestReport,
} from './answer-question'
export { createToolLoop, type LoopTool, type ToolLoop, type ToolLoopOptions } from './tool-loop'
