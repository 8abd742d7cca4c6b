import type { KubeObject } from "@microremed/cluster";
import type { Machine } from "./machine/machine.ts";
import { type RunningPod, runPod } from "./run-pod.ts";
import type { Member, SiteMembers } from "./site-members.ts";
import { dataOf } from "./site-objects.ts";
import type { createConnectionWatch } from "./watch-connections.ts";
import type { createMemoryWatch } from "./watch-memory.ts";

interface SitePodsDeps {
  readonly objects: readonly KubeObject[];
  readonly members: SiteMembers;
  readonly network: Machine["network"];
  readonly connections: ReturnType<typeof createConnectionWatch>;
  readonly memory: ReturnType<typeof createMemoryWatch>;
  complain(sentence: string): void;
}

/** Starts and ends the pods of a site, with their links, names and watches. */
export interface SitePods {
  launch(member: Member): RunningPod;
  end(member: Member): Promise<void>;
}

export function createSitePods(deps: SitePodsDeps): SitePods {
  const { objects, members, network, connections, memory, complain } = deps;
  const { dirOf, hostsSeenFrom, writeNames } = members;

  const launch = (member: Member): RunningPod => {
    const { namespace, name: workload, spec } = member.workload;
    const linked = network.attach(member.ip).then((link) => {
      member.link = link;
      connections.add(member, link);
      return link;
    });
    member.pod = runPod({
      spec,
      dir: dirOf(member),
      hostname: member.name,
      hosts: () => hostsSeenFrom(namespace),
      enter: async (container) => [
        ...(await memory.enter(workload, member.name, container)),
        ...(await linked).enter,
      ],
      complain,
      changed: writeNames,
      place: {
        name: member.name,
        namespace,
        ip: member.ip,
        sharesNetwork: !network.isolated,
        read: (kind, name) => dataOf(objects, namespace, kind, name),
      },
    });
    writeNames();
    return member.pod;
  };
  const end = async (member: Member): Promise<void> => {
    await member.pod?.stop();
    await connections.check(member.ip);
    members.remove(member);
    writeNames();
    await member.link?.[Symbol.asyncDispose]();
  };

  return { launch, end };
}
