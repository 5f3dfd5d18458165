/** The tool loop of the package. */
export * from './answer-question'
export * from './message-store'
export * from './tool-loop'
