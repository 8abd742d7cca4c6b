import { isSameImage } from "../image-name.ts";
import { changeFinding, changesByObject } from "./changed-workloads.ts";
import type { ChangedField } from "./changes.ts";
import { commonCalls, pauseOf, shellCall } from "./common-calls.ts";
import type { CauseLabels, Evidence, EvidenceCall } from "./evidence.ts";
import { workloadOfOwner } from "./workload-of-owner.ts";

const owner = "{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}";
const waiting =
  "{range .status.containerStatuses[*]} {.name}={.state.waiting.reason}{.state.terminated.reason}{end}";
const list = `kubectl get pods -o jsonpath='{range .items[*]}${owner}${waiting}{"\\n"}{end}'`;

const unpulled = ["ErrImagePull", "ImagePullBackOff", "InvalidImageName"];
const ended = ["CrashLoopBackOff", "Error", "Completed"];

/** Readings of the pods: what has just begun gets some seconds to show itself, and what begins again and again another one. */
const readings = [pauseOf(8), startFailures(1), pauseOf(3), startFailures(2)];

/** A line for each pod with a container whose image cannot be pulled, or whose program has ended. */
function startFailures(reading: number): EvidenceCall {
  return shellCall(`${list} | awk -v reading=${reading} '/=(${[...unpulled, ...ended].join("|")})/'`);
}

const imageField = /\bcontainers\[([^\]]+)\]\.image$/;

/**
 * A container was given another image lately, whose program runs, whose program ends as soon as it starts, or that cannot be
 * pulled, as is asked for; in a rollout that was paused since, if `paused`, and else in one that was not.
 */
export const imageEvidence = (
  labels: CauseLabels,
  wanted: { readonly image: "runs" | "ends" | "cannot be pulled"; readonly paused?: true },
): Evidence => ({
  next([log, ...answers]) {
    if (log === undefined) return commonCalls.changes;
    const changes = imageChanges(log).filter(({ isPaused }) => isPaused === (wanted.paused ?? false));
    if (changes.length === 0) return [];
    const states = changes.map(({ change, container }) =>
      stateOf(answers.join("\n"), change.object.name, container),
    );
    const next = readings[answers.length];
    if (next && states.includes("runs")) return next;
    return changes.flatMap(({ change }, i) =>
      states[i] === wanted.image ? [changeFinding(change, labels)] : [],
    );
  },
});

/** The containers that were given another image, and whether their rollout was paused. */
function imageChanges(log: string) {
  return changesByObject(log).flatMap((changes) => {
    const isPaused = changes.some(({ field, is }) => field === "spec.paused" && is === "true");
    return changes.flatMap((change) => {
      const container = imageField.exec(change.field)?.[1];
      return container !== undefined && isOtherImage(change) ? [{ change, container, isPaused }] : [];
    });
  });
}

/** Values are in JSON. Another name of the same image is no other image. */
function isOtherImage({ was, is }: ChangedField): boolean {
  if (was === null || is === null) return false;
  const [before, now] = [was, is].map((image) => image.replaceAll('"', ""));
  return !isSameImage(before, now);
}

/** What became of the image of a workload's container, by the answers of `readings`. */
function stateOf(answer: string, workload: string, container: string): "runs" | "ends" | "cannot be pulled" {
  const reasons = answer.split("\n").flatMap((line) => {
    const [of = "", ...containers] = line.trim().split(" ");
    if (workloadOfOwner(of)?.name !== workload) return [];
    return containers.flatMap((one) => (one.startsWith(`${container}=`) ? one.split("=").slice(1) : []));
  });
  if (reasons.some((one) => unpulled.includes(one))) return "cannot be pulled";
  return reasons.some((one) => ended.includes(one)) ? "ends" : "runs";
}
