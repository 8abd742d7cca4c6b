export { anExchange, scriptedClient, type ToolAndArguments } from "./scripted-client.ts";
export {
  completion,
  type Script,
  type ScriptedCall,
  type ScriptedReply,
  type ScriptedServer,
  type SeenRequest,
  startScriptedServer,
  streamed,
} from "./scripted-server.ts";
