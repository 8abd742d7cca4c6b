import { execFile } from "node:child_process";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A file system of its own under a folder, which can be filled. */
export interface SmallDisk extends AsyncDisposable {
  /** Takes all the space that is left. */
  fill(): Promise<void>;
  /** Gives it back. */
  free(): Promise<void>;
  /** No one can write any more. Throws while a file is open for writing. */
  forbidWrites(): Promise<void>;
  allowWrites(): Promise<void>;
}

/** NATS takes streams only if their bounds together fit on the disk; what is not written takes no space in the image. */
const gibibytes = 16;

/** Mounts a disk in the sparse file `image` on `dir`. A string: why that is not possible here. */
export async function mountSmallDisk(dir: string, image: string): Promise<SmallDisk | string> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  try {
    await using file = await open(image, "w", 0o600);
    await file.truncate(gibibytes * 2 ** 30);
    await run("mkfs.ext4", ["-q", "-m", "0", "-E", "lazy_itable_init=1,lazy_journal_init=1", image]);
    await run("mount", ["-o", "loop", image, dir]);
  } catch (error) {
    await rm(image, { force: true });
    return `no file system can be mounted here (that takes root): ${String(error).split("\n").slice(0, 2).join(" ")}`;
  }
  const ballast = join(dir, "ballast");
  return {
    // It takes what there is before it fails, and writes nothing.
    fill: () =>
      run("fallocate", ["-l", `${gibibytes}GiB`, ballast]).then(
        () => undefined,
        () => undefined,
      ),
    free: () => rm(ballast, { force: true }),
    forbidWrites: () => run("mount", ["-o", "remount,ro", dir]).then(() => undefined),
    allowWrites: () => run("mount", ["-o", "remount,rw", dir]).then(() => undefined),
    [Symbol.asyncDispose]: async () => {
      await run("umount", ["--lazy", dir]);
      await rm(image, { force: true });
    },
  };
}
