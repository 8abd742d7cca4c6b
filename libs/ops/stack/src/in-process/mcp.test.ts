import { loadCatalogue } from "@microremed/registry";
import { newToken } from "@microremed/state";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessRange, startInProcessRange } from "./start-in-process-range.ts";

// A whole range with a gateway, and the client of the official SDK, which knows nothing of it.

let range: InProcessRange;
let token: string;
beforeAll(async () => {
  const catalogue = await loadCatalogue();
  range = await startInProcessRange({
    catalogue,
    environments: ["simple-micro"],
    clusters: 2,
    gatewayPort: 0,
  });
  token = await aToken();
});
afterAll(() => range[Symbol.asyncDispose]());

/** A new token for any agent. */
async function aToken(): Promise<string> {
  const { id, text, secretHash } = newToken();
  const limits = {
    expiresAt: null,
    requestsPerMinute: 60_000,
    mostSessions: 100,
    problemsPerHour: 100_000,
    opens: true,
  };
  await range.state.tokens.put({ id, scope: "agent", name: "*", secretHash, createdAt: 1, ...limits });
  return text;
}

async function connect(query: string) {
  const client = new Client({ name: "probe", version: "3.1" });
  let changed = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changed++);
  const transport = new StreamableHTTPClientTransport(new URL(`${range.gateway?.url}/mcp?${query}`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [first] = content as { text: string }[];
    return { text: first?.text ?? "", isError };
  };
  return {
    ...{ client, transport, call },
    changed: () => changed,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    [Symbol.asyncDispose]: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

test("an MCP client repairs a system", async () => {
  await using mcp = await connect("problem=microremed@1/simple-micro-easy-01&reveal=outcome");
  expect(mcp.client.getServerVersion()).toMatchObject({ name: "microremed" });
  expect(mcp.client.getInstructions()).toContain("next_problem");
  expect(await mcp.toolNames()).toEqual(expect.arrayContaining(["next_problem", "exec_shell", "submit"]));
  expect(await mcp.call("exec_shell", { command: "kubectl get pods" })).toEqual({
    text: "There is no problem yet: call next_problem first.",
    isError: true,
  });
  const { text } = await mcp.call("next_problem");
  expect(text).toContain("# Failure report");
  expect(text).toContain("Attempt 1 of 2");
  await expect.poll(() => mcp.changed()).toBe(1);
  expect((await mcp.call("exec_shell", { command: "kubectl get pods" })).text).toContain("hello-service");
  expect(await mcp.call("exec_shell", {})).toMatchObject({
    isError: true,
    text: expect.stringContaining("command"),
  });
  const command = "kubectl delete stresschaos --all";
  expect((await mcp.call("exec_shell", { command })).text).toContain("deleted");
  expect(await mcp.call("submit")).toEqual({ text: "It was submitted. Call next_problem.", isError: false });
  expect((await mcp.call("next_problem")).text).toBe(
    "The problem before has ended: remediated; the agent submitted: it has done what it will do.\n\nNo problem is left: 1 of 1 have ended. There is nothing more to do.",
  );
});

test("an MCP client answers a question, by the schema of the task; its name is the report's", async () => {
  const problem = "range@1/simple-micro-pod-config-error-hello-service-detection";
  await using mcp = await connect(`problem=${problem}&reveal=outcome`);
  expect((await mcp.call("next_problem")).text).toContain("What you submit is final.");
  const { tools } = await mcp.client.listTools();
  const submit = tools.find(({ name }) => name === "submit");
  expect(submit?.inputSchema).toMatchObject({ type: "object", required: ["anomaly"] });
  const { messages } = await mcp.client.getPrompt({ name: "problem" });
  expect(messages[0]?.content).toMatchObject({
    type: "text",
    text: expect.stringContaining("Say whether anything is wrong"),
  });
  const { resources } = await mcp.client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain("telemetry://topology");
  const { resourceTemplates } = await mcp.client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("telemetry://logs/{+of}");
  const logs = await mcp.client.readResource({
    uri: "telemetry://logs/deployment/hello-service",
    _meta: { "microremed/spent": { promptTokens: 70, completionTokens: 5, cost: 0.5 } },
  });
  expect(logs.contents[0]).toMatchObject({ text: expect.any(String) });
  for (const uri of ["file:///etc/passwd", "telemetry://logs/%E0%A4%A", "telemetry://constructor"])
    await expect(mcp.client.readResource({ uri })).rejects.toThrow(/no resource/);
  expect(await mcp.call("submit", { anomaly: true })).toMatchObject({ isError: false });
  expect((await mcp.call("next_problem")).text).toContain("solved");
  const [latest] = await range.client.experiments(1);
  expect(latest).toMatchObject({ models: ["session/probe@3.1"], status: "completed" });
  const [episode] = (await range.client.experiment(latest?.id ?? "")).episodes;
  expect(episode?.steps.map(({ tool }) => tool)).toEqual(["get_logs", "submit"]);
  expect(JSON.stringify(episode?.steps)).toMatch(/"promptTokens":70\b/);
});

test("a client without a session, without problems, or with another token gets nothing", async () => {
  await expect(connect("")).rejects.toThrow(/the address says no problems/);
  await expect(connect("suite=range@1&colour=red")).rejects.toThrow(/colour/);
  await using mcp = await connect("suite=easy@1");
  const session = mcp.transport.sessionId ?? "";
  const post = (headers: Record<string, string>) =>
    fetch(`${range.gateway?.url}/mcp`, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "next_problem" } }),
    });
  const bearer = `Bearer ${token}`;
  expect((await post({})).status).toBe(401);
  expect((await post({ authorization: bearer })).status).toBe(400);
  const text = await aToken();
  const stolen = await post({ authorization: `Bearer ${text}`, "mcp-session-id": session });
  expect([stolen.status, await stolen.text()]).toEqual([404, expect.stringContaining("unknown-session")]);
  expect((await post({ authorization: bearer, "mcp-session-id": session })).status).toBe(200);
});

test("a client that only connects starts nothing; a suite that is not there is said when it connects", async () => {
  // Those of the tests before may still end meanwhile.
  const ids = async () => (await range.client.experiments(100)).map(({ id }) => id);
  const before = await ids();
  await expect(connect("suite=no-such@1")).rejects.toThrow(/suite: there is no suite .*no-such@1/);
  await using mcp = await connect("suite=easy@1");
  expect(await mcp.toolNames()).toContain("submit");
  const session = `${range.gateway?.url}/v1/sessions/${mcp.transport.sessionId}`;
  const shown = await fetch(session, { headers: { authorization: `Bearer ${token}` } });
  expect(await shown.json()).toMatchObject({ status: "running", episodes: 0 });
  expect(await ids()).toEqual(before);
});

test("the end of a client's session ends the experiment that it has started", async () => {
  const mcp = await connect("suite=easy@1");
  await mcp.call("next_problem");
  const [latest] = await range.client.experiments(1);
  await mcp[Symbol.asyncDispose]();
  await expect
    .poll(async () => (await range.client.experimentRecord(latest?.id ?? "")).status)
    .toBe("cancelled");
});
