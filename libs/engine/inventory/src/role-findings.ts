import { type Environment, isPodReady, mayLabelPods } from "@microremed/catalogue";
import type { KubeObject, Pod } from "@microremed/cluster";
import { workloadsOver } from "./pod-owner.ts";
import { restartsOf } from "./restarts.ts";

/** Programs of some stores write on their own pods which of them leads; Services select by it. */
const roleLabel = "role";

/** What a pod's own program has made of it. */
export interface RoleReading {
  readonly workload: string;
  readonly role: string;
  /** Of all its containers together. */
  readonly restarts: number;
}

/** uid of a pod -> its role. */
export type Roles = Readonly<Record<string, RoleReading>>;

/** A role that no program can have given. */
export interface RoleFinding {
  readonly pod: Pod;
  readonly workload: string;
  readonly detail: string;
}

/** From so many members on, one that has a role alone leads: of two, each has its own. */
const fewestWithLeader = 3;

/** Of the pods of workloads whose programs may write their role: those that have a role. */
export function rolesOf(environment: Environment, objects: readonly KubeObject[]): Roles {
  return Object.fromEntries(
    podsWithRoles(environment, objects).flatMap(({ pod, workload }) => {
      const { uid = "", labels = {} } = pod.metadata;
      const role = labels[roleLabel];
      return role === undefined ? [] : [[uid, { workload, role, restarts: restartsOf(pod) }]];
    }),
  );
}

/**
 * Roles that a client has written. A program that goes on keeps its role until the one whose role it takes has gone or has
 * restarted; and when all are Ready again, there are as many of each role as before. `before`: right after the injection.
 * `isParted`: names of workloads whose pods the fault may part from one another, upon which they elect another leader.
 */
export function roleFindings(
  environment: Environment,
  objects: readonly KubeObject[],
  before: Roles,
  isParted: (workload: string) => boolean,
): RoleFinding[] {
  const pods = podsWithRoles(environment, objects);
  const now = new Map(pods.map(({ pod }) => [pod.metadata.uid ?? "", pod]));
  const goesOn = (uid: string): boolean => {
    const pod = now.get(uid);
    return pod !== undefined && restartsOf(pod) === before[uid]?.restarts;
  };
  return [...Map.groupBy(pods, ({ workload }) => workload)].flatMap(([workload, members]) => {
    const was = Object.entries(before).filter(([, one]) => one.workload === workload);
    const holders = (role: string) => was.filter(([, one]) => one.role === role);
    const leads = (role: string): boolean => was.length >= fewestWithLeader && holders(role).length === 1;
    const changed = members.flatMap(({ pod }): RoleFinding[] => {
      const uid = pod.metadata.uid ?? "";
      const [had, has = "none"] = [before[uid]?.role, pod.metadata.labels?.[roleLabel]];
      if (had === undefined || had === has || !goesOn(uid)) return [];
      const isVacant = holders(has).some(([holder]) => !goesOn(holder));
      if (isVacant && !leads(had)) return [];
      const detail = `has the role ${has} instead of ${had}, and its program has gone on`;
      return [{ pod, workload, detail }];
    });
    return [
      ...(isParted(workload) ? [] : changed),
      ...otherCounts(environment, workload, members, was),
    ].slice(0, members.length);
  });
}

interface Member {
  readonly pod: Pod;
  readonly workload: string;
}

/** Once all are Ready: no leader, or two of them. */
function otherCounts(
  environment: Environment,
  workload: string,
  members: readonly Member[],
  was: readonly (readonly [string, RoleReading])[],
): RoleFinding[] {
  const replicas = environment.workloads[workload]?.replicas;
  const [first] = members;
  if (!first || was.length !== replicas || members.length !== replicas) return [];
  if (!members.every(({ pod }) => isPodReady(pod))) return [];
  // Before an election there are roles by which no Service selects.
  if (!was.every(([, { role }]) => isSelected(environment, role))) return [];
  const [before, now] = [
    was
      .map(([, { role }]) => role)
      .toSorted()
      .join(", "),
    members
      .map(({ pod }) => pod.metadata.labels?.[roleLabel] ?? "none")
      .toSorted()
      .join(", "),
  ];
  if (before === now) return [];
  return [
    { pod: first.pod, workload, detail: `is of a workload with the roles ${now} instead of ${before}` },
  ];
}

const isSelected = ({ services }: Environment, role: string): boolean =>
  Object.values(services).some(({ selector }) => selector[roleLabel] === role);

function podsWithRoles(environment: Environment, objects: readonly KubeObject[]): Member[] {
  const workloadOf = workloadsOver(environment, objects);
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  return pods.flatMap((pod) => {
    const workload = workloadOf(pod);
    const mayWrite =
      workload !== undefined && mayLabelPods(environment.workloads[workload]?.permissions ?? []);
    return mayWrite && pod.metadata.deletionTimestamp === undefined ? [{ pod, workload }] : [];
  });
}
