import {
  awaitRollout,
  kinds,
  kubectl,
  mongoConfig,
  patchCommand,
  type Remedy,
  type RemedyContext,
  restartAll,
  restartTarget,
  selectorText,
  withTlsMode,
} from "@microremed/catalogue";

function setMode(context: RemedyContext, mode: string): string {
  const { configMap, key, text } = mongoConfig(context);
  const value = withTlsMode(text, mode);
  return patchCommand(context, kinds.configMap, configMap, [{ op: "replace", path: `/data/${key}`, value }]);
}

export const switchOff: Remedy = {
  name: "switch-off",
  doc: "the expert's fix: switches TLS off again and restarts the server, which reads it at its start",
  commands: (context) => [setMode(context, "disabled"), ...restartTarget(context)],
};

export const switchOffAndDelete: Remedy = {
  name: "switch-off-and-delete",
  doc: "switches TLS off again and deletes the server's pod",
  commands: (context) => [
    setMode(context, "disabled"),
    `${kubectl(context)} delete pod -l ${selectorText(context.workload.selector)} --wait=false`,
    awaitRollout(context),
  ],
};

export const withoutRestart: Remedy = {
  name: "without-restart",
  doc: "switches TLS off again and lets the server run on with what it has read",
  commands: (context) => [setMode(context, "disabled")],
};

export const oldName: Remedy = {
  name: "old-name",
  doc: "requires TLS by the mode's old name",
  commands: (context) => [setMode(context, "requireSSL"), ...restartTarget(context)],
};

export const restartClients: Remedy = {
  name: "restart-clients",
  doc: "restarts the programs that use the server",
  commands: (context) => {
    const { workloads } = context.environment;
    const clients = Object.entries(workloads).filter(([, { calls }]) =>
      calls.some(({ to }) => to === context.name),
    );
    return restartAll(context, clients);
  },
};
