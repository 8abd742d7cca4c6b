import type { Change, DamageClass } from "@microremed/contracts";
import type { VolumeContent } from "./read-volumes.ts";

/** What more than doubles and adds as much as this was put there, KiB: a program's own data does not grow so fast. */
const mostAddedKib = 32 * 1024;
/** The same for files: a file system has only so many, however small they are. */
const mostAddedFiles = 1000;

/**
 * What a volume's content means, compared with what it was right after the injection; undefined: nothing. `keepsData`: of
 * a workload whose replicas keep data; the files of others come and go.
 */
export function volumeFinding(
  before: VolumeContent,
  now: VolumeContent,
  keepsData: boolean,
): { readonly class: DamageClass; readonly detail: string } | undefined {
  if (keepsData && now.files * 2 < before.files)
    return { class: "breaks", detail: `has lost files: ${before.files} -> ${now.files}` };
  if (now.kib > before.kib * 2 && now.kib - before.kib >= mostAddedKib)
    return { class: "foreign", detail: `was filled: ${before.kib} -> ${now.kib} KiB` };
  if (now.files > before.files * 2 && now.files - before.files >= mostAddedFiles)
    return { class: "foreign", detail: `was filled: ${before.files} -> ${now.files} files` };
  return undefined;
}

const volumeMark = "volume ";

/** A finding in words, for a change. */
export const volumeDetail = (name: string, detail: string): string => `${volumeMark}${name} ${detail}`;

/** Whether a change is of what a volume holds: no object has that, so that only a new volume is as it was. */
export const isOfVolume = ({ detail }: Pick<Change, "detail">): boolean => detail.startsWith(volumeMark);
