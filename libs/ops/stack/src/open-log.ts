import { openSync } from "node:fs";
import {
  backboneConfig,
  createLineWriter,
  createLogger,
  parseConfig,
  type ServiceLogger,
} from "@microremed/service-kit";
import type { ServiceName } from "./service-names.ts";
import type { Variables } from "./stack.types.ts";

/** The log of a service that shares a process: a file of its own, readable by this user only. */
export function openLog(service: ServiceName, variables: Variables, logFile: string): ServiceLogger {
  const { LOG_LEVEL: level } = parseConfig(backboneConfig, variables);
  const destination = createLineWriter(openSync(logFile, "a", 0o600));
  process.on("exit", () => destination.flush());
  return createLogger({ service, level, destination });
}
