import {
  awaitRollout,
  deletePods,
  kinds,
  kubectl,
  parametersOf,
  patchCommand,
  type Remedy,
  type RemedyContext,
  restartEverything,
  restartTarget,
  shellWord,
} from "@microremed/catalogue";
import { parameters } from "./parameters.ts";
import { claimName, folder, pathOf } from "./store.ts";

const inContainer = (context: RemedyContext, script: string): string =>
  `${kubectl(context)} exec deployment/${context.name} -c ${context.container} -- sh -c ${shellWord(script)}`;
const path = (context: RemedyContext): string => pathOf({ parameters: parametersOf(parameters, context) });

export const removeFile: Remedy = {
  name: "remove-file",
  doc: "the expert's fix: removes the file that fills the volume",
  commands: (context) => [inContainer(context, `rm ${path(context)}`)],
};

export const emptyFile: Remedy = {
  name: "empty-file",
  doc: "empties the file and leaves it there",
  commands: (context) => [inContainer(context, `: > ${path(context)}`)],
};

export const removeAndRestart: Remedy = {
  name: "remove-and-restart",
  doc: "removes the file, and restarts the cache, which reads what it has kept",
  commands: (context) => [inContainer(context, `rm ${path(context)}`), ...restartTarget(context)],
};

const otherFile: Remedy = {
  name: "other-file",
  doc: "removes files of others: an old dump, and what is in the container's own folder for them",
  commands: (context) => [inContainer(context, `rm -rf ${folder}/dump.rdb /tmp/*`)],
};

const renameFile: Remedy = {
  name: "rename-file",
  doc: "gives the file another name on the same volume",
  commands: (context) => [inContainer(context, `mv ${path(context)} ${path(context)}.old`)],
};

const ignoreErrors: Remedy = {
  name: "ignore-errors",
  doc: "lets the cache write on after a failed dump, which is another error",
  commands: (context) => [inContainer(context, "redis-cli config set stop-writes-on-bgsave-error no")],
};

const emptyCache: Remedy = {
  name: "empty-cache",
  doc: "deletes all keys: this is a write, too, and is refused",
  commands: (context) => [inContainer(context, "redis-cli flushall || true")],
};

const largerClaim: Remedy = {
  name: "larger-claim",
  doc: "asks for a larger claim, which a storage class that cannot enlarge volumes refuses",
  commands: (context) => [
    `${patchCommand(context, kinds.persistentVolumeClaim, claimName(context), [
      { op: "replace", path: "/spec/resources/requests/storage", value: "4Gi" },
    ])} || echo "refused"`,
    awaitRollout(context),
  ],
};

const restart: Remedy = {
  name: "restart-cache",
  doc: "restarts the cache, which finds the same file",
  commands: restartTarget,
};

export const shortcuts: readonly Remedy[] = [
  restart,
  otherFile,
  renameFile,
  ignoreErrors,
  emptyCache,
  largerClaim,
  restartEverything,
  deletePods,
];
