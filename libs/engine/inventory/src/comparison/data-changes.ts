import { type Environment, keepsData } from "@microremed/catalogue";
import type { Pod } from "@microremed/cluster";
import type { Change } from "@microremed/contracts";
import { type Expected, podChange } from "../expected.ts";
import type { Mark } from "../mark.ts";
import { workloadsOver } from "../pod-owner.ts";
import type { ArenaObjects } from "../read-arena.ts";
import { storeChanges, storeText } from "../stores/store-changes.ts";
import { type MountedVolume, mountedVolumes, sharedKeyOf } from "../volumes/read-volumes.ts";
import { volumeDetail, volumeFinding } from "../volumes/volume-findings.ts";

/** What of the data in volumes and in the servers of datastores is not as it was. */
export const dataChanges = (expected: Expected, arena: ArenaObjects): Change[] => [
  ...ofVolumes(expected, arena),
  ...ofStores(expected, arena),
];

/**
 * A volume is compared with itself. One that went with its pod, as restarts let it, is not there any more; a new pod's is
 * compared with the fullest that its workload had, and begins empty.
 */
function ofVolumes(expected: Expected, { objects, volumes = {} }: ArenaObjects): Change[] {
  const { environment, mark } = expected;
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  const workloadOf = workloadsOver(environment, objects);
  return mountedVolumes(pods).flatMap((volume): Change[] => {
    const { key, name, pod } = volume;
    const [known, now, workload] = [mark?.volumes?.[key], volumes[key], workloadOf(pod)];
    const before = known ?? mark?.volumes?.[sharedKeyOf(volume, workload) ?? ""];
    if (!before || !now || workload === undefined) return [];
    const finding = volumeFinding(before, now, known !== undefined && keepsData(environment, workload));
    if (!finding) return [];
    const detail = volumeDetail(name, finding.detail);
    return [podChange(expected, { pod, workload, detail }, finding.class)];
  });
}

/** What the servers of datastores have in force is no object: it is compared with what they had before the fault. */
function ofStores(expected: Expected, { objects, stores = {} }: ArenaObjects): Change[] {
  const { environment, mark, record, withNoise = record } = expected;
  if (!mark?.stores) return [];
  const { storeFaults } = mark;
  const hadFault = (workload: string): boolean => storeFaults.some((text) => text.startsWith(`${workload} `));
  return storeChanges(environment, objects, stores, mark.stores, withNoise, hadFault).map((found) =>
    podChange(expected, found, storeFaults.includes(storeText(found)) ? "unrepaired" : found.class),
  );
}

/** Which volumes are worth counting: those that the mark knows something about. */
export function knownVolumes(
  environment: Environment,
  { objects }: Pick<ArenaObjects, "objects">,
  mark: Mark,
): (volume: MountedVolume) => boolean {
  const workloadOf = workloadsOver(environment, objects);
  const known = mark.volumes ?? {};
  return (volume) => volume.key in known || (sharedKeyOf(volume, workloadOf(volume.pod)) ?? "") in known;
}
