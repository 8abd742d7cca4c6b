export {
  completion,
  type Script,
  type ScriptedCall,
  type ScriptedReply,
  type ScriptedServer,
  type SeenRequest,
  startScriptedServer,
} from "./scripted-server.ts";
