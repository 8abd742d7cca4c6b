// An MCP client that gets problems of repair and submits without a repair: node mcp.mjs <suite>
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { MICROREMED_URL, MICROREMED_TOKEN } = process.env;
const address = new URL(`${MICROREMED_URL}/mcp?reveal=outcome&suite=${process.argv[2]}`);
const requestInit = { headers: { Authorization: `Bearer ${MICROREMED_TOKEN}` } };

const client = new Client({ name: "idle", version: "1" });
const transport = new StreamableHTTPClientTransport(address, { requestInit });
await client.connect(transport);
const say = (text) => process.stdout.write(`${text}\n`);
const call = async (name, args = {}) => (await client.callTool({ name, arguments: args })).content[0].text;

for (;;) {
  const words = await call("next_problem");
  say(words);
  if (words.includes("No problem is left")) break;
  if (words.includes("is not there yet")) continue;
  say(await call("exec_shell", { command: "kubectl get pods" }));
  say(await call("submit"));
}
await transport.terminateSession();
await client.close();
