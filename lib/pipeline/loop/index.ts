/** The tool loop of the package. */
export {
  type Answer,
  AnswerError,
  answerQuestion,
  type ChatRequest,
  type QuestionOptions,
  type RequestReport,
} from './answer-question'
export {
  createJsonLinesStore,
  createMemoryStore,
  createSqliteStore,
  type MessageStore,
  openSqlite,
  type SqliteDatabase,
  type StoredMessage,
  type StoreOptions,
} from './message-store'
export { createToolLoop, type LoopTool, type ToolLoop, type ToolLoopOptions } from './tool-loop'
