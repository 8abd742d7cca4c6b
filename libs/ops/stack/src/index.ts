export { checkTools, missingPrograms, type ToolCheck } from "./check-tools.ts";
export { type ServiceName, serviceNames } from "./service-names.ts";
export type {
  EmbeddedClusters,
  Stack,
  StackAccess,
  StackOptions,
  StackServer,
  StackService,
  Variables,
} from "./stack.types.ts";
export { startStack } from "./start-stack.ts";
