// An MCP client that deletes the objects that cause chaos, which repairs easy@1: node mcp.mjs easy@1
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { MICROREMED_URL, MICROREMED_TOKEN } = process.env;
const address = new URL(`${MICROREMED_URL}/mcp?reveal=outcome&suite=${process.argv[2]}`);
const requestInit = { headers: { Authorization: `Bearer ${MICROREMED_TOKEN}` } };

const client = new Client({ name: "removes-chaos", version: "1" });
const transport = new StreamableHTTPClientTransport(address, { requestInit });
await client.connect(transport);
const say = (text) => process.stdout.write(`${text}\n`);
const call = async (name, args = {}) => (await client.callTool({ name, arguments: args })).content[0].text;

for (;;) {
  const words = await call("next_problem");
  say(words.split("\n")[0]);
  if (words.includes("No problem is left")) break;
  if (words.includes("is not there yet")) continue;
  say(
    await call("exec_shell", { command: "kubectl delete stresschaos,networkchaos,iochaos,podchaos --all" }),
  );
  await call("submit");
}
await transport.terminateSession();
await client.close();
