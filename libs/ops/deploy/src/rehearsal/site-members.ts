import { randomBytes } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { hostsFor } from "./hosts.ts";
import type { PodLink } from "./machine/pod-network.ts";
import { hostsFileOf } from "./run-container.ts";
import type { RunningPod } from "./run-pod.ts";
import type { ServiceObject, Workload } from "./site-objects.ts";
/** A pod of a site, and what it is attached to. */
export interface Member {
  readonly workload: Workload;
  readonly name: string;
  readonly ip: string;
  pod?: RunningPod;
  link?: PodLink;
}

/** The pods of a site by workload, each with its name and address; containers know them by /etc/hosts. */
export interface SiteMembers {
  readonly all: readonly Member[];
  of(workload: Workload): readonly Member[];
  add(workload: Workload, name?: string): Member;
  remove(member: Member): void;
  dirOf(member: Member): string;
  hostsSeenFrom(namespace: string): string;
  /** Writes the names into the pods, as a cluster's DNS does when pods come, go, and become ready. */
  writeNames(): void;
}

interface MembersOptions {
  readonly dir: string;
  readonly workloads: readonly Workload[];
  readonly services: readonly ServiceObject[];
  /** Names outside of the site. */
  readonly names: Readonly<Record<string, string>>;
  /** The address of the pod with this number, counted from 1. */
  address(ordinal: number): string;
}

export function createSiteMembers({ dir, workloads, services, names, address }: MembersOptions): SiteMembers {
  const members: Member[] = [];
  let addresses = 0;

  const add = (workload: Workload, name = newName(workload)): Member => {
    addresses += 1;
    const member = { workload, name, ip: address(addresses) };
    members.push(member);
    return member;
  };
  const newName = ({ name }: Workload): string => `${name}-${randomBytes(3).toString("hex")}`;
  for (const workload of workloads)
    for (let ordinal = 0; ordinal < workload.replicas; ordinal += 1)
      add(workload, workload.kind === "StatefulSet" ? `${workload.name}-${ordinal}` : newName(workload));

  const dirOf = ({ workload, name }: Member): string => join(dir, workload.namespace, name);
  const hostsSeenFrom = (namespace: string): string => {
    const named = members.map((one) => ({ ...one, isReady: one.pod?.isReady ?? false }));
    return hostsFor(namespace, services, named, names);
  };
  const writeNames = (): void => {
    for (const member of members)
      void overwrite(hostsFileOf({ dir: dirOf(member) }), hostsSeenFrom(member.workload.namespace));
  };

  return {
    all: members,
    of: (workload) => members.filter((one) => one.workload === workload),
    add,
    remove: (member) => void members.splice(members.indexOf(member), 1),
    dirOf,
    hostsSeenFrom,
    writeNames,
  };
}

/** In place, because a container has the file itself, and never empty, because a reader may have it open. */
async function overwrite(path: string, text: string): Promise<void> {
  const file = await open(path, "r+").catch(() => undefined);
  if (!file) return;
  try {
    await file.write(text, 0);
    await file.truncate(Buffer.byteLength(text));
  } finally {
    await file.close();
  }
}
