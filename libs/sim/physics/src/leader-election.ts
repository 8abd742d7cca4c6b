import type { Machine, PodSandbox } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import { isUp } from "./container-state.ts";
import type { Programs } from "./programs.ts";

export interface LeaderElectionDeps {
  readonly machine: Machine;
  readonly loop: EventLoop;
  readonly programs: Programs;
  /** What the program does at the API server with its pod's account. */
  readonly labelPod: (namespace: string, name: string, labels: Readonly<Record<string, string>>) => void;
}

/**
 * xenon next to MySQL: the members of a cluster elect a leader by majority, and each labels its own pod with its role.
 * A member takes part while its xenon and its MySQL are up. Call `round` every few seconds.
 */
export function createLeaderElection({ machine, loop, programs, labelPod }: LeaderElectionDeps): {
  round(): void;
} {
  const leaders = loop.keep(new Map<string, string>());
  const roles = loop.keep(new Map<string, string>());

  function elect(group: string, members: readonly PodSandbox[], majority: number): void {
    const able = members.filter(takesPart).sort((a, b) => (a.name < b.name ? -1 : 1));
    const known = able.find(({ uid }) => uid === leaders.get(group));
    const leader = known ?? (able.length >= majority ? able[0] : undefined);
    if (!leader) {
      leaders.delete(group);
      return;
    }
    leaders.set(group, leader.uid);
    for (const member of able) announce(member, member === leader ? "leader" : "follower");
  }

  function announce(member: PodSandbox, role: string): void {
    if (roles.get(member.uid) === role) return;
    roles.set(member.uid, role);
    labelPod(member.namespace, member.name, { role });
  }

  return {
    round: () => {
      const groups = new Map<string, { members: PodSandbox[]; majority: number }>();
      for (const sandbox of machine.sandboxes.values()) {
        const xenon = containerOf(sandbox, "xenon");
        const program = programs.of(xenon?.behaviour);
        if (!program) continue;
        const key = `${sandbox.namespace}/${program.workloadName}`;
        const group = groups.get(key) ?? {
          members: [],
          majority: 1 + Math.floor(program.replicas / 2),
        };
        group.members.push(sandbox);
        groups.set(key, group);
      }
      for (const [key, { members, majority }] of groups) elect(key, members, majority);
      for (const uid of roles.keys()) if (!machine.sandboxes.has(uid)) roles.delete(uid);
    },
  };
}

function takesPart(sandbox: PodSandbox): boolean {
  const xenon = containerOf(sandbox, "xenon");
  const mysql = containerOf(sandbox, "mysql");
  return xenon !== undefined && mysql !== undefined && isUp(xenon) && isUp(mysql);
}

function containerOf(sandbox: PodSandbox, runtime: string) {
  return [...sandbox.containers.values()].find((container) => container.behaviour?.runtime === runtime);
}
