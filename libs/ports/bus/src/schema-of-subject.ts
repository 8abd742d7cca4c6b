import {
  CancelRequest,
  ExecuteCommand,
  InjectCommand,
  PrepareCommand,
  RangeEvent,
  RemediateCommand,
  RestoreCommand,
  type Stage,
  StageResult,
  subjects,
  VerifyCommand,
} from "@microremed/contracts";
import type { z } from "zod";
import { DeadLetter } from "./dead-letter.ts";

const commands: Readonly<Record<Stage, z.ZodType>> = {
  prepare: PrepareCommand,
  inject: InjectCommand,
  remediate: RemediateCommand,
  execute: ExecuteCommand,
  verify: VerifyCommand,
  restore: RestoreCommand,
};

const kinds: Readonly<Record<string, z.ZodType>> = {
  results: StageResult,
  events: RangeEvent,
  deadletters: DeadLetter,
};

/** What a message for this subject must look like; `undefined` where anything goes (a request may be wrong, its answer says how). */
export function schemaOfSubject(subject: string): z.ZodType | undefined {
  if (subject === subjects.cancel) return CancelRequest;
  const [, kind = "", name = ""] = subject.split(".");
  return kind === "commands" ? commands[name as Stage] : kinds[kind];
}
