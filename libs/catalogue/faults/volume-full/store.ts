import {
  declaredDeployment,
  type FaultContext,
  isRolledOut,
  type KubeObject,
  kinds,
  runInTarget,
  type TruthContext,
  targetName,
  targetOf,
} from "@microremed/catalogue";
import type { Context, Where } from "./parameters.ts";

/** Where the cache keeps its data. */
export const folder = "/data";
export const claimName = (context: TruthContext): string => `${targetName(context)}-data`;
export const pathOf = ({ parameters: { file } }: Pick<Where, "parameters">): string => `${folder}/${file}`;

/** Of the file system that is filled: what does not bound its claims would fill the node. */
const execTimeoutMs = 60_000;

interface Declared extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly name: string;
          readonly args?: readonly string[];
          readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
        readonly volumes?: readonly { readonly name: string }[];
      };
    };
  };
}

/** The claim with the cache's data. */
const claimOf = (where: Where): KubeObject => ({
  ...kinds.persistentVolumeClaim,
  metadata: { name: claimName(where), labels: { app: targetName(where) } },
  spec: {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: where.parameters.size } },
  },
});

/** The declared cache, which keeps each write in a file on a claim of its own. */
export function storeObjects(where: Where): KubeObject[] {
  const name = targetOf(where.environment, where.target)?.container.name;
  const { spec, ...deployment } = declaredDeployment(where) as unknown as Declared;
  const { template } = spec;
  const { containers, volumes = [] } = template.spec;
  const mounted = containers.flatMap(({ volumeMounts = [] }) =>
    volumeMounts.filter(({ mountPath }) => mountPath === folder).map((mount) => mount.name),
  );
  return [
    claimOf(where),
    {
      ...deployment,
      spec: {
        ...spec,
        // Of two caches only one may have the directory.
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        template: {
          ...template,
          spec: {
            ...template.spec,
            containers: containers.map((one) =>
              one.name === name
                ? {
                    ...one,
                    args: [...(one.args ?? []), "--appendonly", "yes", "--dir", folder],
                    volumeMounts: [
                      ...(one.volumeMounts ?? []).filter(({ mountPath }) => mountPath !== folder),
                      { name: "data", mountPath: folder },
                    ],
                  }
                : one,
            ),
            securityContext: { fsGroup: 1000 },
            volumes: [
              ...volumes.filter((volume) => !mounted.includes(volume.name)),
              { name: "data", persistentVolumeClaim: { claimName: claimName(where) } },
            ],
          },
        },
      },
    },
  ];
}

/** What a script prints in the cache's container; undefined: there is none, or it failed. */
export const inStore = (context: FaultContext, script: string): Promise<string | undefined> =>
  runInTarget(context, script, execTimeoutMs);

/** Whether the cache keeps its writes. */
export async function isKept(context: Context): Promise<boolean> {
  if (!(await isRolledOut(context, targetName(context)))) return false;
  return (
    (await inStore(context, "redis-cli info persistence"))?.includes("aof_last_write_status:ok") ?? false
  );
}

/** Whether the file is there and has anything in it, and whether the cache has failed to keep a write. */
export async function readStore(context: Context) {
  const script = `if [ -s ${pathOf(context)} ]; then echo filled; fi; redis-cli info persistence`;
  const printed = (await inStore(context, script)) ?? "";
  return {
    hasFile: printed.startsWith("filled"),
    isFull: printed.includes("aof_last_write_status:err"),
  };
}

/** Writes the file until there is no room, or it is as large as the whole claim. */
export async function fill(context: Context): Promise<void> {
  const mebibytes = Number.parseInt(context.parameters.size, 10);
  await inStore(context, `dd if=/dev/zero of=${pathOf(context)} bs=1M count=${mebibytes} || true`);
}
