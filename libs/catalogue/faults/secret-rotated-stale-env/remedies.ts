import {
  awaitRollout,
  deletePods,
  kinds,
  kubectl,
  mergeCommand,
  parametersOf,
  type Remedy,
  type RemedyContext,
  restartTarget,
  shellWord,
} from "@microremed/catalogue";
import { parameters } from "./parameters.ts";
import { dataOfSecret, loginOfTarget, secretOf } from "./place.ts";

export const restart: Remedy = {
  name: "restart",
  doc: "the expert's fix: restarts the program, which reads the password as it is now",
  commands: restartTarget,
};

export const replacePods: Remedy = {
  name: "replace-pods",
  doc: "deletes the pods of the target: new ones read the password as it is now",
  commands: (context) => [...deletePods.commands(context), awaitRollout(context)],
};

const setSecret = (context: RemedyContext, password: string): string =>
  mergeCommand(
    context,
    kinds.secret,
    secretOf(context),
    "/data",
    dataOfSecret(context, accountOf(context), password),
  );

const accountOf = (context: RemedyContext): string => parametersOf(parameters, context).account;

function setAtStore(context: RemedyContext, password: string): string {
  const { to, store } = loginOfTarget(context);
  const script = store.set(accountOf(context), password);
  return `${kubectl(context)} exec deployment/${to} -c ${context.environment.workloads[to]?.containers[0]?.name} -- sh -c ${shellWord(script)}`;
}

const old = (context: RemedyContext): string => parametersOf(parameters, context).before;

export const restartStore: Remedy = {
  name: "restart-store",
  doc: "restarts the datastore; its client runs on with the old password",
  commands: (context) => [
    `${kubectl(context)} rollout restart deployment/${loginOfTarget(context).to}`,
    `${kubectl(context)} rollout status deployment/${loginOfTarget(context).to} --timeout=20s || echo "still rolling out"`,
  ],
};

export const oldAtStore: Remedy = {
  name: "old-password-at-store",
  doc: "takes the rotation back at the datastore alone: the next pod is refused",
  commands: (context) => [setAtStore(context, old(context))],
};

export const oldEverywhere: Remedy = {
  name: "old-password-everywhere",
  doc: "takes the whole rotation back: the password that was to be replaced lets in again",
  commands: (context) => [setAtStore(context, old(context)), setSecret(context, old(context))],
};

export const oldInSecret: Remedy = {
  name: "old-password-in-secret",
  doc: "writes the old password into the Secret and restarts the program, which the datastore refuses all the same",
  commands: (context) => [setSecret(context, old(context)), ...restartTarget(context)],
};

export const thirdPassword: Remedy = {
  name: "third-password",
  doc: "writes a third password into the Secret and restarts the program",
  commands: (context) => [setSecret(context, "changeme"), ...restartTarget(context)],
};
