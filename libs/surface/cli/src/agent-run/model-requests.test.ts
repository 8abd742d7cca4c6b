import { expect, test } from "vitest";
import { refusalOf, storingNothing } from "./model-requests.ts";

const chat = "chat/completions";
const gemini = "models/any:generateContent";
const url = "https://elsewhere.example/x.png";
const data = "data:image/png;base64,AAAA";
const user = (content: unknown) => ({ role: "user", content });

test("what agents ask their models for is passed", () => {
  const passed: readonly (readonly [string, object])[] = [
    [chat, { model: "m", messages: [user("hi")], stream: true, temperature: 0, max_tokens: 5, store: false }],
    [
      chat,
      {
        messages: [
          { role: "system", content: "s" },
          user([
            { type: "text", text: "t" },
            { type: "image_url", image_url: { url: data } },
            { type: "file", file: { file_data: data, filename: "a.png" } },
            { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
          ]),
          { role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: {} }] },
          { role: "tool", tool_call_id: "a", content: '{"url":"https://x"}' },
        ],
        tools: [{ type: "function", function: { name: "f", parameters: {} } }],
        tool_choice: "auto",
        response_format: { type: "json_object" },
      },
    ],
    [
      "responses",
      {
        ...{
          model: "m",
          instructions: "i",
          stream: true,
          store: false,
          include: ["reasoning.encrypted_content"],
        },
        ...{ reasoning: { effort: "high" }, previous_response_id: null, prompt_cache_key: "k" },
        tools: [{ type: "function", name: "f" }, { type: "custom", name: "g" }, { type: "local_shell" }],
        input: [
          { type: "message", role: "user", content: [{ type: "input_text", text: "t" }] },
          { role: "assistant", content: "a" },
          { type: "reasoning", id: "r", summary: [] },
          { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
          { type: "function_call_output", call_id: "c", output: "o" },
        ],
      },
    ],
    ["responses", { input: "hi" }],
    [
      "messages",
      {
        ...{
          model: "m",
          max_tokens: 9,
          system: [{ type: "text", text: "s", cache_control: {} }],
          metadata: {},
        },
        ...{ thinking: { type: "enabled", budget_tokens: 5 }, stream: true },
        tools: [
          { name: "Bash", input_schema: {} },
          { type: "bash_20250124", name: "bash" },
        ],
        messages: [
          user("hi"),
          { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: { url } }] },
          user([
            { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "t" }] },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          ]),
        ],
      },
    ],
    ["messages/count_tokens", { messages: [user("hi")] }],
    [
      gemini,
      {
        contents: [
          { role: "user", parts: [{ text: "t" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] },
          { role: "model", parts: [{ functionCall: { name: "f", args: { fileData: url } } }] },
          { role: "user", parts: [{ functionResponse: { name: "f", response: { fileUri: url } } }] },
        ],
        tools: [{ functionDeclarations: [{ name: "f" }] }],
        generationConfig: { temperature: 0 },
        systemInstruction: { parts: [{ text: "s" }] },
      },
    ],
    ["models/any:countTokens", { generateContentRequest: { contents: [{ parts: [{ text: "t" }] }] } }],
  ];
  for (const [path, body] of passed)
    expect([path, body, refusalOf(path, body)]).toEqual([path, body, undefined]);
});

test("a provider's own tools, and what it would fetch or keep, are not passed, over any of the APIs", () => {
  const messages = [user("hi")];
  const input = "hi";
  const contents = [{ parts: [{ text: "t" }] }];
  const refused: readonly (readonly [string, object])[] = [
    ...[
      { web_search_options: {} },
      { tools: [{ type: "web_search" }] },
      {
        tools: [
          { type: "function", function: {} },
          { type: "mcp", server_url: url },
        ],
      },
      { tools: [{ name: "without a type" }] },
      { store: true },
      { plugins: [{ id: "web" }] },
      { enable_search: true },
      { service_tier: "priority" },
      { anything_new: 1 },
      { messages: [user([{ type: "image_url", image_url: { url } }])] },
      { messages: [user([{ type: "file", file: { file_data: url } }])] },
      { messages: [user([{ type: "input_audio", input_audio: { data: url, format: "wav" } }])] },
      { messages: [user([{ type: "file", file: { file_id: "f" } }])] },
      { messages: [user([{ type: "new_part", url }])] },
      { messages: [{ ...user("hi"), audio: { id: "a" } }] },
    ].map((more) => [chat, { messages, ...more }] as const),
    ...[
      ...["web_search", "web_search_preview", "file_search", "code_interpreter", "computer_use_preview"].map(
        (type) => ({ tools: [{ type }] }),
      ),
      { tools: [{ type: "image_generation" }] },
      { tools: [{ type: "mcp", server_label: "a", server_url: url }] },
      { tools: [{ type: "shell" }] },
      { tools: [{ type: "shell", environment: { type: "container_auto" } }] },
      { background: true },
      { previous_response_id: "resp_1" },
      { conversation: "conv_1" },
      { prompt: { id: "p" } },
      { input: [{ type: "item_reference", id: "i" }] },
      { input: [{ type: "mcp_call", id: "i" }] },
      { input: [user([{ type: "input_image", image_url: url }])] },
      { input: [user([{ type: "input_image", file_id: "f" }])] },
      { input: [user([{ type: "input_file", file_url: url }])] },
      { input: [user([{ type: "input_file", file_data: url }])] },
      { input: [user([{ type: "input_file", file_data: data, file_url: url }])] },
      {
        input: [
          { type: "function_call_output", call_id: "c", output: [{ type: "input_image", image_url: url }] },
        ],
      },
    ].map((more) => ["responses", { input, ...more }] as const),
    ...[
      ...["web_search_20250305", "web_fetch_20250910", "code_execution_20250825", "computer_20250124"].map(
        (type) => ({ tools: [{ type, name: "n" }] }),
      ),
      { mcp_servers: [{ type: "url", url }] },
      { tools: [{ type: "mcp_toolset", mcp_server_name: "a" }] },
      { container: "c" },
      { messages: [user([{ type: "image", source: { type: "url", url } }])] },
      {
        messages: [
          user([
            {
              type: "document",
              source: { type: "content", content: [{ type: "image", source: { type: "url", url } }] },
            },
          ]),
        ],
      },
      { messages: [user([{ type: "document", source: { type: "file", file_id: "f" } }])] },
      { messages: [user([{ type: "container_upload", file_id: "f" }])] },
      {
        messages: [
          user([
            {
              ...{ type: "tool_result", tool_use_id: "t" },
              content: [{ type: "image", source: { type: "url", url } }],
            },
          ]),
        ],
      },
    ].map((more) => ["messages", { messages, ...more }] as const),
    ...[
      ...["googleSearch", "google_search", "urlContext", "codeExecution", "googleMaps", "computerUse"].map(
        (name) => ({ tools: [{ [name]: {} }] }),
      ),
      { tools: [{ functionDeclarations: [], googleSearch: {} }] },
      { cachedContent: "cachedContents/1" },
      { contents: [{ parts: [{ fileData: { fileUri: url } }] }] },
      { contents: [{ parts: [{ file_data: { file_uri: url } }] }] },
      { contents: [{ parts: [{ functionResponse: { parts: [{ fileData: { fileUri: url } }] } }] }] },
      { generateContentRequest: { tools: [{ googleSearch: {} }] } },
    ].map((more) => [gemini, { contents, ...more }] as const),
  ];
  for (const [path, body] of refused)
    expect([path, body, refusalOf(path, body)]).toEqual([
      path,
      body,
      expect.stringMatching(/does not pass: ./),
    ]);
  expect(refusalOf("files", {})).toBeDefined();
  expect([storingNothing("responses"), storingNothing(chat)]).toEqual([{ store: false }, {}]);
});
