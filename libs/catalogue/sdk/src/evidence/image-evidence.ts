import { isSameImage } from "../image-name.ts";
import { changeFinding, changesByObject } from "./changed-workloads.ts";
import type { ChangedField } from "./changes.ts";
import { commonCalls, shellCall } from "./common-calls.ts";
import { type CauseLabels, type Evidence, evidenceBy } from "./evidence.ts";
import { workloadOfOwner } from "./workload-of-owner.ts";

const owner = "{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}";
const waiting =
  "{range .status.containerStatuses[*]} {.name}={.state.waiting.reason}{.state.terminated.reason}{end}";
const list = `kubectl get pods -o jsonpath='{range .items[*]}${owner}${waiting}{"\\n"}{end}'`;

const unpulled = ["ErrImagePull", "ImagePullBackOff", "InvalidImageName"];
const ended = ["CrashLoopBackOff", "Error", "Completed"];

/**
 * A line for each pod with a container whose image cannot be pulled, or whose program has ended. One that was just made gets some
 * seconds to show it.
 */
const startFailures = shellCall(
  `for i in 1 2 3; do s=$(${list} | grep -E '=(${[...unpulled, ...ended].join("|")})'); if [ -n "$s" ]; then break; fi; if [ "$i" -lt 3 ]; then sleep 3; fi; done; echo "$s"`,
);

const imageField = /\bcontainers\[([^\]]+)\]\.image$/;

/**
 * A container was given another image lately, whose program runs, whose program ends as soon as it starts, or that cannot be
 * pulled, as is asked for; in a rollout that was paused since, if `paused`, and else in one that was not.
 */
export const imageEvidence = (
  labels: CauseLabels,
  wanted: { readonly image: "runs" | "ends" | "cannot be pulled"; readonly paused?: true },
): Evidence =>
  evidenceBy([commonCalls.changes, startFailures], ([log = "", failures = ""]) =>
    changesByObject(log).flatMap((changes) => {
      const paused = changes.some(({ field, is }) => field === "spec.paused" && is === "true");
      if (paused !== (wanted.paused ?? false)) return [];
      const found = changes.find((change) => {
        const container = imageField.exec(change.field)?.[1];
        if (container === undefined || !isOtherImage(change)) return false;
        return stateOf(failures, change.object.name, container) === wanted.image;
      });
      return found ? [changeFinding(found, labels)] : [];
    }),
  );

/** Values are in JSON. Another name of the same image is no other image. */
function isOtherImage({ was, is }: ChangedField): boolean {
  if (was === null || is === null) return false;
  const [before, now] = [was, is].map((image) => image.replaceAll('"', ""));
  return !isSameImage(before, now);
}

/** What became of the image of a workload's container, by the answer to `startFailures`. */
function stateOf(answer: string, workload: string, container: string): "runs" | "ends" | "cannot be pulled" {
  const reasons = answer.split("\n").flatMap((line) => {
    const [of = "", ...containers] = line.trim().split(" ");
    if (workloadOfOwner(of)?.name !== workload) return [];
    return containers.flatMap((one) => (one.startsWith(`${container}=`) ? one.split("=").slice(1) : []));
  });
  if (reasons.some((one) => unpulled.includes(one))) return "cannot be pulled";
  return reasons.some((one) => ended.includes(one)) ? "ends" : "runs";
}
