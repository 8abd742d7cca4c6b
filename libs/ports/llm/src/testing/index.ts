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
