import { expect, test } from "vitest";
import { callsInText } from "./calls-in-text.ts";

const oneText = (name: string, argument: string) => ({
  name,
  description: "",
  parameters: { type: "object", properties: { [argument]: { type: "string" } }, required: [argument] },
});
const tools = [oneText("probe_system", "command"), oneText("print_playbook", "playbook")];
const probe = (command: string) => ({ name: "probe_system", arguments: JSON.stringify({ command }) });

test.each([
  ["on one line", 'Thought: look.\nAction: probe_system\nAction Input: {"command": "kubectl get pods"}'],
  ["over several lines", 'Action: probe_system\nAction Input: {\n  "command": "kubectl get pods"\n}'],
  ["in a fence", 'Action: probe_system\nAction Input:\n```json\n{"command": "kubectl get pods"}\n```'],
  ["in bold", '**Action:** `probe_system`\n**Action Input:** {"command": "kubectl get pods"}'],
  ["as plain text", "Action: probe_system\nAction Input: kubectl get pods"],
  [
    "with an invented observation",
    'Action: probe_system\nAction Input: {"command": "kubectl get pods"}\nObservation: all is well\n',
  ],
  ["with words behind it", 'Action: probe_system\nAction Input: {"command": "kubectl get pods"} and wait'],
  [
    "in tags",
    '<tool_call>\n{"name": "probe_system", "arguments": {"command": "kubectl get pods"}}\n</tool_call>',
  ],
  ["as JSON alone", '{"name": "probe_system", "parameters": {"command": "kubectl get pods"}}'],
  [
    "as fenced JSON alone",
    '```json\n{"name":"probe_system","arguments":{"command":"kubectl get pods"}}\n```',
  ],
])("reads a call %s", (_name, text) => {
  const found = callsInText(text, tools);
  expect(found?.calls.map(({ name, arguments: input }) => ({ name, ...JSON.parse(input) }))).toEqual([
    { name: "probe_system", command: "kubectl get pods" },
  ]);
});

test("reads several calls and the text before them", () => {
  const text = "I look twice.\nAction: probe_system\nAction Input: a\nAction: probe_system\nAction Input: b";
  expect(callsInText(text, tools)).toEqual({ before: "I look twice.", calls: [probe("a"), probe("b")] });
});

test("takes a playbook of many lines as it is", () => {
  const playbook = "- hosts: k3s_control_plane\n  tasks: []";
  const found = callsInText(`Action: print_playbook\nAction Input:\n\`\`\`yaml\n${playbook}\n\`\`\``, tools);
  expect(found?.calls).toEqual([{ name: "print_playbook", arguments: JSON.stringify({ playbook }) }]);
});

test("broken JSON stays as it is, for the method to explain", () => {
  const found = callsInText('Action: probe_system\nAction Input: {"command": "x', tools);
  expect(found?.calls).toEqual([{ name: "probe_system", arguments: '{"command": "x' }]);
});

test.each([
  "I would restart it.",
  "Action: telepathy\nAction Input: {}",
  '{"name": "telepathy", "arguments": {}}',
  '{"apiVersion": "v1", "name": 7}',
  "",
])("finds no call in %j", (text) => {
  expect(callsInText(text, tools)).toBeUndefined();
});
