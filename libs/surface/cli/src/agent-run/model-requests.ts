import { z } from "zod";

// What of a provider's API a program may ask for: its own words, and tools that the program runs by itself. Everything else is
// refused: a provider's own tools (search, code, computers, MCP servers) and what it fetches or has stored would be ways out of the
// sandbox that are not counted. A field that is not named here is not passed, whatever it is.

const any = z.unknown().optional();
/** An object with these fields, whatever is in them. */
const withFields = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, any]));
const off = z.literal([false, null], { error: "nothing may be kept or go on at the provider" }).optional();
const unused = z.null({ error: "what the provider has stored is not passed" }).optional();
const tier = z.literal(["auto", "default", "standard_only", null]).optional();
/** The data itself: a URL of another kind would be fetched by the provider. */
const dataUrl = z.string().regex(/^data:/, "only data: URLs are passed");

/** The data itself in base64, with or without the words before it: of any other beginning it could be fetched. */
const inlineData = z.string().regex(/^(data:|[A-Za-z0-9+/=_-]*$)/, "only data: URLs and base64 are passed");

/** `type` is one of these, the rest as it is. */
const typed = (...types: readonly [string, ...string[]]) => z.looseObject({ type: z.enum(types) });
const textOr = <T extends z.ZodType>(part: T) => z.union([z.string(), z.null(), z.array(part)]).optional();

const chatPart = z.discriminatedUnion("type", [
  typed("text", "refusal", "thinking"),
  z.looseObject({ type: z.literal("input_audio"), input_audio: z.looseObject({ data: inlineData }) }),
  z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: dataUrl }) }),
  z.looseObject({
    type: z.literal("file"),
    file: z.strictObject({ file_data: inlineData, filename: z.string().optional() }),
  }),
]);
const chatTool = z.discriminatedUnion("type", [typed("function"), typed("custom")]);
const sampling = [
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "seed",
  "stop",
  "logit_bias",
  "logprobs",
] as const;
const aboutCaller = ["user", "metadata", "prompt_cache_key", "prompt_cache_retention", "safety_identifier"];

const ChatCompletions = z.strictObject({
  ...withFields("model", "stream", "stream_options", "n", "max_tokens", "max_completion_tokens"),
  ...withFields(...sampling, ...aboutCaller, "top_logprobs"),
  ...withFields("presence_penalty", "frequency_penalty", "repetition_penalty", "response_format"),
  ...withFields("tool_choice", "parallel_tool_calls", "functions", "function_call", "prediction"),
  ...withFields("modalities", "audio", "reasoning", "reasoning_effort", "verbosity", "thinking"),
  ...withFields("enable_thinking", "chat_template_kwargs", "include_reasoning"),
  service_tier: tier,
  store: off,
  tools: z.array(chatTool).nullish(),
  messages: z.array(
    z.strictObject({
      ...withFields("role", "name", "tool_calls", "tool_call_id", "function_call", "refusal"),
      ...withFields("reasoning", "reasoning_content", "reasoning_details", "annotations", "cache_control"),
      content: textOr(chatPart),
    }),
  ),
});

const responsePart = z.discriminatedUnion("type", [
  typed("input_text", "output_text", "text", "refusal", "reasoning_text", "summary_text"),
  z.looseObject({ type: z.literal("input_audio"), input_audio: z.looseObject({ data: inlineData }) }),
  z.looseObject({ type: z.literal("input_image"), image_url: dataUrl, file_id: unused }),
  z.looseObject({ type: z.literal("input_file"), file_data: inlineData, file_id: unused, file_url: unused }),
]);
const responseItem = z.union([
  z.looseObject({ type: z.literal("message").optional(), role: z.string(), content: textOr(responsePart) }),
  typed("function_call", "custom_tool_call", "local_shell_call", "apply_patch_call", "shell_call"),
  z.looseObject({
    type: z.enum(["function_call_output", "custom_tool_call_output"]),
    output: textOr(responsePart),
  }),
  typed("local_shell_call_output", "apply_patch_call_output", "shell_call_output", "reasoning", "compaction"),
]);
const responseTool = z.discriminatedUnion("type", [
  typed("function", "custom", "local_shell", "apply_patch"),
  z.looseObject({ type: z.literal("shell"), environment: typed("local") }),
]);

const Responses = z.strictObject({
  ...withFields("model", "stream", "stream_options", "instructions", "max_output_tokens", "max_tool_calls"),
  ...withFields("temperature", "top_p", "top_logprobs", "tool_choice", "parallel_tool_calls", "reasoning"),
  ...withFields("text", "include", "truncation", "context_management", "client_metadata", ...aboutCaller),
  service_tier: tier,
  // Kept by default: see `storingNothing`.
  store: z.boolean().nullish(),
  background: off,
  previous_response_id: unused,
  conversation: unused,
  prompt: unused,
  tools: z.array(responseTool).nullish(),
  input: z.union([z.string(), z.array(responseItem)]),
});

const imageBlock = z.looseObject({ type: z.literal("image"), source: typed("base64") });
const mediaSource = z.discriminatedUnion("type", [
  typed("base64", "text"),
  z.looseObject({
    type: z.literal("content"),
    content: textOr(z.discriminatedUnion("type", [typed("text"), imageBlock])),
  }),
]);
const plainBlock = [
  typed("text", "thinking", "redacted_thinking", "tool_use"),
  z.looseObject({ type: z.literal("search_result"), content: textOr(typed("text")) }),
  z.looseObject({ type: z.enum(["image", "document"]), source: mediaSource }),
] as const;
const block = z.discriminatedUnion("type", [
  ...plainBlock,
  z.looseObject({
    type: z.literal("tool_result"),
    content: textOr(z.discriminatedUnion("type", plainBlock)),
  }),
]);
/** Tools of Anthropic's that the program itself runs; what is not named by a type is the program's own. */
const ownTool = z.looseObject({
  type: z
    .string()
    .regex(/^(custom|(bash|text_editor|memory)_\d{8})$/, "tools that the provider runs are not passed")
    .nullish(),
});

const Messages = z.strictObject({
  ...withFields("model", "stream", "max_tokens", "stop_sequences", "temperature", "top_p", "top_k"),
  ...withFields("metadata", "thinking", "tool_choice", "context_management", "cache_control"),
  ...withFields("output_config", "output_format"),
  service_tier: tier,
  system: textOr(typed("text")),
  tools: z.array(ownTool).nullish(),
  messages: z.array(z.strictObject({ role: z.string(), content: textOr(block) })),
});

/** Gemini takes names in both spellings. */
const both = (...names: readonly string[]): string[] => [
  ...names,
  ...names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
];
const plainPart = z.strictObject(
  withFields(
    ...both("text", "inlineData", "functionCall", "thought", "thoughtSignature", "videoMetadata"),
    "mediaResolution",
  ),
);
const answered = z.looseObject({ parts: z.array(plainPart).optional() }).optional();
const content = z.strictObject({
  role: z.string().optional(),
  parts: z
    .union([
      plainPart,
      z.array(plainPart.extend({ functionResponse: answered, function_response: answered })),
    ])
    .optional(),
});
const geminiTool = z.strictObject(withFields(...both("functionDeclarations")));
const gemini = {
  ...withFields("model", ...both("toolConfig", "generationConfig", "safetySettings")),
  systemInstruction: z.union([content, z.string()]).optional(),
  system_instruction: z.union([content, z.string()]).optional(),
  tools: z.union([geminiTool, z.array(geminiTool)]).nullish(),
  contents: z.union([content, z.array(content), z.string()]).optional(),
};
const GenerateContent = z.strictObject({
  ...gemini,
  // Of `countTokens`.
  generateContentRequest: z.strictObject(gemini).optional(),
});

/** By what a path below `/v1` ends in; nothing else of an endpoint can be reached with its key. */
const apis: readonly (readonly [RegExp, z.ZodType])[] = [
  [/^chat\/completions$/, ChatCompletions],
  [/^responses$/, Responses],
  [/^messages(\/count_tokens)?$/, Messages],
  [/^models\/[^/:]+:(generateContent|streamGenerateContent|countTokens)$/, GenerateContent],
];

/** Whether a path is one of a model's API. */
export const isModelPath = (path: string): boolean => apis.some(([pattern]) => pattern.test(path));

/** Why a request to a path of a model's API is not passed on; undefined: it is. */
export function refusalOf(path: string, body: unknown): string | undefined {
  const schema = apis.find(([pattern]) => pattern.test(path))?.[1];
  if (!schema) return "there is no such path";
  const read = schema.safeParse(body);
  if (read.success) return undefined;
  const issues = read.error.issues.slice(0, mostIssues).map(({ path: at, message }) => {
    const where = at.map(String).join(".");
    return where === "" ? message : `${where}: ${message}`;
  });
  return `the model's proxy passes what the model itself needs, and tools that the program runs. It does not pass: ${issues.join("; ")}`.slice(
    0,
    longest,
  );
}

const mostIssues = 5;
const longest = 2_000;

/** What a path needs so that the provider keeps nothing of the request. */
export function storingNothing(path: string): { readonly store?: false } {
  return path === "responses" ? { store: false } : {};
}
