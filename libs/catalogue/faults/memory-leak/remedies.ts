import {
  awaitRollout,
  deletePods,
  jsonPatch,
  parametersOf,
  type Remedy,
  type RemedyContext,
  restartEverything,
  restartTarget,
} from "@microremed/catalogue";
import { parameters } from "./parameters.ts";
import { higherLimit, keeping, keptKib, type Where } from "./program.ts";

const { setTo } = keeping;
const whereOf = (context: RemedyContext): Where => ({
  ...context,
  parameters: parametersOf(parameters, context),
});

const less: Remedy = {
  name: "less",
  doc: "lets it keep half as much, and restarts it",
  commands: (context) => {
    const half = Math.ceil(
      Number(keptKib({ ...context, parameters: parametersOf(parameters, context) })) / 2,
    );
    return [setTo(context, String(half)), ...restartTarget(context)];
  },
};

const restart: Remedy = {
  name: "restart",
  doc: "restarts the program, whose memory grows again",
  commands: restartTarget,
};

const moreMemory: Remedy = {
  name: "more-memory",
  doc: "gives it four times as much memory, which it fills later",
  commands: (context) => [
    jsonPatch(context, [
      {
        op: "replace",
        path: "/spec/template/spec/containers/0/resources/limits/memory",
        value: higherLimit(whereOf(context)),
      },
    ]),
    awaitRollout(context),
  ],
};

/** The ConfigMap alone is none: when the program is killed at its limit, it starts with what is there then. */
export const shortcuts: readonly Remedy[] = [restart, moreMemory, less, restartEverything, deletePods];
