/** The items of the Responses API as it documents them: https://platform.openai.com/docs/api-reference/responses/object */

/** An item: the members that are read, of all types. */
export interface ResponseItem {
  /** Can be absent in a message. */
  readonly type?: string
  readonly role?: string
  readonly content?: string | readonly ResponsePart[]
  readonly id?: string
  readonly call_id?: string
  readonly status?: string
  readonly name?: string
  /** The arguments of a call; each type of call has one of these. */
  readonly arguments?: string
  readonly input?: string
  readonly action?: object
  readonly operation?: object
  readonly code?: string
  readonly queries?: readonly string[]
  /** The result of a call; hosted tools also use `outputs`, `results`, `result` and `error`. */
  readonly output?: string | readonly ResponsePart[] | object
  readonly outputs?: readonly { readonly logs?: string }[] | null
  readonly results?: readonly { readonly text?: string }[] | null
  readonly result?: string | null
  readonly error?: string | null
  /** In items of type `reasoning`. */
  readonly summary?: readonly ResponsePart[]
  readonly encrypted_content?: string
  /** In `mcp_list_tools`, `additional_tools` and `tool_search_output`. */
  readonly tools?: readonly object[]
  /** The side that ran the tool search. */
  readonly execution?: 'server' | 'client'
}

/** A part of a content or an output. */
export interface ResponsePart {
  /** `input_text`, `output_text`, `summary_text`, `reasoning_text`, `refusal`, or a type without text. */
  readonly type: string
  readonly text?: string
  readonly refusal?: string
}
