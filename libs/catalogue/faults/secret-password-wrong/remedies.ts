import {
  awaitRollout,
  deletePods,
  kubectl,
  type Remedy,
  type RemedyContext,
  restartTarget,
} from "@microremed/catalogue";
import { passwordKey } from "./place.ts";

export const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A JSON patch that gives a key of a Secret a value. */
export const patchOf = (key: string, value: string): readonly object[] => [
  { op: "replace", path: `/data/${key}`, value: base64(value) },
];

function setPassword(context: RemedyContext, password?: string): string {
  const { secret, key, value } = passwordKey(context);
  const patch = JSON.stringify(patchOf(key, password ?? value));
  return `${kubectl(context)} patch secret ${secret} --type=json -p '${patch}'`;
}

export const setAndRestart: Remedy = {
  name: "set-and-restart",
  doc: "the expert's fix: puts the password back and restarts the program, which reads it at its start",
  commands: (context) => [setPassword(context), ...restartTarget(context)],
};

export const setAndDelete: Remedy = {
  name: "set-and-delete",
  doc: "puts the password back and deletes the pods",
  commands: (context) => [setPassword(context), ...deletePods.commands(context), awaitRollout(context)],
};

export const secretOnly: Remedy = {
  name: "secret-only",
  doc: "puts the password back and lets the program run on with what it has read",
  commands: (context) => [setPassword(context)],
};

export const otherPassword: Remedy = {
  name: "other-password",
  doc: "writes another wrong password and restarts the program",
  commands: (context) => [setPassword(context, "changeme"), ...restartTarget(context)],
};
