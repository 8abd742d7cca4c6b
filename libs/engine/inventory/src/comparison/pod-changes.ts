import type { Pod } from "@microremed/cluster";
import { type Change, forbidsRecovery } from "@microremed/contracts";
import { changeOf, type Expected, isFailed, podChange } from "../expected.ts";
import { exposureOf } from "../exposure.ts";
import { findingText, type PodFinding, podFindings } from "../pod-changes.ts";
import { workloadsOver } from "../pod-owner.ts";
import { portFindings } from "../port-findings.ts";
import { programFindings } from "../programs/program-changes.ts";
import { readAsDeclared, startedOtherwise } from "../programs/started-with.ts";
import type { ArenaObjects } from "../read-arena.ts";
import { roleFindings } from "../role-findings.ts";
import { staleFindings } from "../starting/started-before-write.ts";

/** What is not as it was of pods: what they are, what runs in them, and what of it they had read before. */
export function podChanges(expected: Expected, arena: ArenaObjects): Change[] {
  const ofAll = ofPods(expected, arena);
  return [
    ...ofAll,
    ...ofPorts(expected, arena),
    ...ofStale(expected, arena),
    ...ofRoles(expected, arena),
    ...ofPrograms(expected, arena, ofAll),
  ];
}

function ofPods(expected: Expected, arena: ArenaObjects): Change[] {
  const before = expected.mark?.pods ?? [];
  // What any pod had before the remedies, and forbids nothing, the cluster gives to all of them.
  const isOfTheCluster = (finding: PodFinding): boolean =>
    !forbidsRecovery(finding) && before.some((text) => text.endsWith(` ${finding.detail}`));
  const known = {
    annotations: expected.mark?.podAnnotations,
    tokens: expected.mark?.podTokens,
    exposes: exposureOf(expected.record),
  };
  return podFindings(expected.environment, arena, known)
    .filter((finding) => !isOfTheCluster(finding))
    .map((finding) => {
      const is = before.includes(findingText(finding)) ? "unrepaired" : finding.class;
      return podChange(expected, finding, is, finding.what);
    });
}

/** Ports of pods that the programs in them do not serve as declared. */
const ofPorts = (expected: Expected, arena: ArenaObjects): Change[] =>
  portFindings(expected.environment, arena).map(({ pod, detail }) =>
    changeOf(expected, "added", { ...pod, kind: "Pod" }, "acts", detail),
  );

/** Pods that may have read what was changed back since. */
function ofStale(expected: Expected, { objects, programs, placed }: ArenaObjects): Change[] {
  const { environment, record, mark } = expected;
  if (!mark) return [];
  const isKnown = readAsDeclared({ record, programs, names: mark.variableNames });
  return staleFindings(environment, objects, mark.versions, mark.injectedAt, placed)
    .filter(({ pod, workload, source }) => !isKnown(pod, workload, source))
    .map((finding) => podChange(expected, finding, finding.class));
}

/** Which replica leads is written on the pods by their programs: a client that writes it sends users to another. */
function ofRoles(expected: Expected, { objects }: ArenaObjects): Change[] {
  const { environment, mark } = expected;
  if (!mark) return [];
  const isOfNetwork = mark.causes.some((place) => place.includes("/NetworkChaos/"));
  const isParted = (workload: string): boolean => isOfNetwork && isFailed(expected, workload);
  return roleFindings(environment, objects, mark.roles, isParted).map((finding) =>
    podChange(expected, finding, "breaks"),
  );
}

/**
 * What runs in a declared container beside what its template starts: it may do anything, at any time. That a container
 * is silent says nothing more of a pod that is not as its template, as one whose image the fault has replaced.
 */
function ofPrograms(
  expected: Expected,
  { objects, programs }: ArenaObjects,
  podChanges: readonly Change[],
): Change[] {
  const { environment, record, mark } = expected;
  if (!programs || !mark?.programs) return [];
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  const broken = new Set(podChanges.filter(forbidsRecovery).map(({ object }) => object));
  const workloadOf = workloadsOver(environment, objects);
  const found = [
    ...programFindings(pods, programs, workloadOf, mark.programs),
    ...startedOtherwise(record, pods, programs, workloadOf, mark.variables),
  ];
  return found
    .map((finding) => ({ finding, change: podChange(expected, finding, finding.class) }))
    .filter(({ finding, change }) => !(finding.isSilent && broken.has(change.object)))
    .map(({ change }) => change);
}
