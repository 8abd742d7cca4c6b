import type { ContainerRuntime, HttpFault } from "@microremed/sim-machine";
import { parseGoDuration } from "@microremed/sim-time";
import type { ChaosDeps } from "../model/chaos-kind.types.ts";
import type { ChildSpecification } from "./child-controller.ts";

/** A rule of the proxy, as PodHttpChaos spells it. */
export interface HttpRule {
  /** `namespace/name` of the HTTPChaos that wants it. */
  readonly source: string;
  readonly port: number;
  readonly target: "Request" | "Response";
  readonly selector: {
    readonly port?: number;
    readonly path?: string;
    readonly method?: string;
    readonly code?: number;
  };
  readonly actions: {
    readonly abort?: boolean;
    readonly delay?: string;
    readonly replace?: { readonly path?: string; readonly code?: number };
  };
}

export interface PodHttpSpec {
  readonly rules?: readonly HttpRule[];
}

function faultOf({ target, port, selector, actions }: HttpRule): HttpFault {
  const { path, method, code } = selector;
  return {
    target,
    port,
    ...(path !== undefined && { path }),
    ...(method !== undefined && { method }),
    ...(code !== undefined && { code }),
    abort: actions.abort ?? false,
    delayMs: actions.delay ? parseGoDuration(actions.delay) : 0,
    ...(actions.replace?.code !== undefined && { replaceCode: actions.replace.code }),
    ...(actions.replace?.path !== undefined && { replacePath: actions.replace.path }),
  };
}

/** The daemon's side of PodHttpChaos: one transparent proxy per pod, in its first container's process namespace. */
export function podHttpChaos({ machine, loop, daemons }: ChaosDeps): ChildSpecification {
  /** Which daemon, by its generation, holds the proxy of a pod, by the pod's uid. */
  const holders = loop.keep(new Map<string, number>());
  return {
    kind: "PodHttpChaos",
    plural: "podhttpchaos",
    callMs: [300, 1200],
    enforce(child) {
      const { namespace = "", name } = child.metadata;
      const rules: readonly HttpRule[] = (child.spec as PodHttpSpec | undefined)?.rules ?? [];
      const sandbox = machine.byPod(namespace, name);
      const first: ContainerRuntime | undefined = sandbox && [...sandbox.containers.values()][0];
      if (!sandbox || !first) {
        if (rules.length === 0) return { pid: undefined, startTime: undefined };
        throw new Error(`failed to apply for pod ${namespace}/${name}: container not found`);
      }
      const daemon = daemons.generation(sandbox.nodeName);
      const holder = holders.get(sandbox.uid) ?? daemon;
      if (rules.length === 0 && holder !== daemon)
        throw new Error(
          `failed to apply for pod ${namespace}/${name}: rpc error: code = Unknown desc = TaskID ${child.status?.pid} not found`,
        );
      holders.set(sandbox.uid, daemon);
      first.httpFaults.splice(0, first.httpFaults.length, ...rules.map(faultOf));
      if (rules.length === 0) return { pid: undefined, startTime: undefined };
      return { pid: 1000 + (first.startedAt % 30_000), startTime: first.startedAt };
    },
  };
}
