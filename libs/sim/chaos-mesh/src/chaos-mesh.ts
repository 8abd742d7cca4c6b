import type { AdmissionHook } from "@microremed/sim-kinds";
import { type ChaosAdmissionDeps, chaosAdmission } from "./admission/admission.ts";
import { startChildController } from "./children/child-controller.ts";
import { podHttpChaos } from "./children/pod-http-chaos.ts";
import { podIoChaos } from "./children/pod-io-chaos.ts";
import { podNetworkChaos } from "./children/pod-network-chaos.ts";
import { chaosKinds } from "./kinds/chaos-kinds.ts";
import type { ChaosDeps } from "./model/chaos-kind.types.ts";
import { createDaemons } from "./model/daemons.ts";
import { startPipeline } from "./pipeline/pipeline.ts";
import { startScheduleController } from "./pipeline/schedule-controller.ts";

export interface ChaosMeshDeps extends Omit<ChaosDeps, "daemons">, ChaosAdmissionDeps {}

/** The running Chaos Mesh of a cluster: it acts on the chaos objects in the store until it is stopped. */
export interface ChaosMesh {
  /** The webhooks, to be registered with the API server. */
  readonly admission: AdmissionHook;
  /** Restarts the chaos-daemon of a node, as deleting its pod does. */
  restartDaemon(node: string): void;
  stop(): void;
}

/** Starts a Chaos Mesh 2.7: one pipeline per experiment kind and the daemon's side of the internal kinds. */
export function createChaosMesh(options: ChaosMeshDeps): ChaosMesh {
  const daemons = createDaemons(options.loop, options.machine);
  const deps: ChaosDeps & ChaosAdmissionDeps = { ...options, daemons };
  const stops = [
    ...[podNetworkChaos(deps), podIoChaos(deps), podHttpChaos(deps)].map((child) =>
      startChildController(child, deps),
    ),
    ...chaosKinds.map((kind) => startPipeline(kind, deps)),
    startScheduleController(deps),
  ];
  return {
    admission: chaosAdmission(deps),
    restartDaemon: daemons.restart,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
