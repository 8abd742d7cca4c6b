import { isSameImage } from "../image-name.ts";
import { changeFinding, changesByObject } from "./changed-workloads.ts";
import type { ChangedField } from "./changes.ts";
import { commonCalls, shellCall } from "./common-calls.ts";
import { type CauseLabels, type Evidence, evidenceBy } from "./evidence.ts";
import { workloadOfOwner } from "./workload-of-owner.ts";

const owner = "{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}";
const waiting = "{range .status.containerStatuses[*]} {.name}={.state.waiting.reason}{end}";
const list = `kubectl get pods -o jsonpath='{range .items[*]}${owner}${waiting}{"\\n"}{end}'`;

/** A line for each pod with a container whose image cannot be pulled. One that was just made gets some seconds to show it. */
const pullFailures = shellCall(
  `for i in 1 2 3; do s=$(${list} | grep -E '=(ErrImagePull|ImagePullBackOff|InvalidImageName)'); if [ -n "$s" ]; then break; fi; if [ "$i" -lt 3 ]; then sleep 3; fi; done; echo "$s"`,
);

const imageField = /\bcontainers\[([^\]]+)\]\.image$/;

/** A container was given another image lately, one that can be pulled or one that cannot, as is asked for. */
export const imageEvidence = (labels: CauseLabels, wanted: { readonly isPulled: boolean }): Evidence =>
  evidenceBy([commonCalls.changes, pullFailures], ([log = "", failures = ""]) =>
    changesByObject(log).flatMap((changes) => {
      const found = changes.find((change) => {
        const container = imageField.exec(change.field)?.[1];
        if (container === undefined || !isOtherImage(change)) return false;
        return cannotPull(failures, change.object.name, container) !== wanted.isPulled;
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

/** Whether the image of a workload's container cannot be pulled. */
const cannotPull = (answer: string, workload: string, container: string): boolean =>
  answer.split("\n").some((line) => {
    const [of = "", ...containers] = line.trim().split(" ");
    return (
      workloadOfOwner(of)?.name === workload &&
      containers.some((one) => one.startsWith(`${container}=`) && one !== `${container}=`)
    );
  });
