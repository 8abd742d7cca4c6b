export { sandboxesHere } from "./sandboxes-here.ts";
