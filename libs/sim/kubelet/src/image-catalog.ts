import { createHash } from "node:crypto";
import type { Behaviour, ContainerSpec as EnvContainer, Environment } from "@microremed/environments";
import { programsOfImage } from "@microremed/sim-machine";
import type { ContainerSpec } from "./container-spec.ts";

/** Public images that people reach for, with the tags that anybody can pull; undefined: every tag. */
const publicImages: Readonly<Record<string, RegExp | undefined>> = {
  "docker.io/library/busybox": /^(latest|stable|musl|glibc|uclibc|1(\.\d+){0,2})(-.*)?$/,
  "docker.io/library/alpine": /^(latest|edge|3(\.\d+){0,2})$/,
  "docker.io/library/nginx": /^(latest|stable|mainline|alpine|1(\.\d+){0,2})(-.*)?$/,
  "docker.io/library/redis": /^(latest|alpine|[4-8](\.\d+){0,2})(-.*)?$/,
  "docker.io/library/python": /^(latest|slim|alpine|3(\.\d+){0,2})(-.*)?$/,
  "docker.io/library/node": /^(latest|lts|slim|alpine|\d+(\.\d+){0,2})(-.*)?$/,
  "docker.io/library/mysql": /^(latest|lts|[589](\.\d+){0,2})(-.*)?$/,
  "docker.io/library/debian": /^(latest|stable|bookworm|bullseye|trixie|1[0-3](\.\d+)?)(-.*)?$/,
  "docker.io/library/ubuntu": /^(latest|rolling|[12]\d\.\d\d|noble|jammy|focal)$/,
  "docker.io/curlimages/curl": /^(latest|\d+(\.\d+){0,2})$/,
  "docker.io/bitnami/kubectl": /^(latest|1(\.\d+){0,2})$/,
  "docker.io/nicolaka/netshoot": /^(latest|v\d+(\.\d+){0,2})$/,
  "docker.io/polinux/stress": /^(latest|1.*)$/,
  "registry.k8s.io/pause": /^(latest|3\.\d+)$/,
  "k8s.gcr.io/pause": /^(latest|3\.\d+)$/,
  "gcr.io/google-containers/pause": /^(latest|3\.\d+)$/,
  "registry.k8s.io/e2e-test-images/jessie-dnsutils": undefined,
};

/** The public web server as its image starts it: one static page. */
const nginx: Behaviour = {
  runtime: "nginx",
  startupCpuSeconds: 0.05,
  idleCpuMillicores: 1,
  cpuMillisPerRequest: 0.1,
  memoryMi: 6,
  memoryMiPerConcurrentRequest: 0.1,
  listens: [80],
  paths: ["/", "/index.html"],
  writesPerRequest: {},
  concurrency: 1024,
  tools: ["coreutils", "bash", "grep", "sed", "tar", "gzip", "curl", "nginx"],
  shell: "bash",
};

/** `redis` -> `docker.io/library/redis:latest`. */
export function fullImageName(image: string): string {
  const slash = image.indexOf("/");
  const first = slash < 0 ? "" : image.slice(0, slash);
  const hasRegistry = /[.:]/.test(first) || first === "localhost";
  const path = slash < 0 ? `docker.io/library/${image}` : hasRegistry ? image : `docker.io/${image}`;
  return path.includes("@") || /:[^/]+$/.test(path) ? path : `${path}:latest`;
}

export interface ImageCatalog {
  /** Whether the registry has the image. */
  exists(image: string): boolean;
  /** `repository@sha256:...`, the same for the same name. */
  idOf(image: string): string;
  /** Compressed size, bytes. */
  sizeOf(image: string): number;
  /** How the container's program behaves; undefined: nothing but its command. */
  behaviourOf(spec: ContainerSpec, app: string | undefined): Behaviour | undefined;
  /** Whether the image has nothing but a program that waits for ever. */
  isPause(image: string): boolean;
  /** Whether a command can be started in the image. */
  canRun(image: string, program: string): boolean;
}

interface Candidate {
  readonly app: string;
  readonly container: EnvContainer;
}

const same = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  JSON.stringify(a ?? []) === JSON.stringify(b ?? []);

/** How well a container of an environment explains a container that is to be started; 0: not at all. */
function score({ app, container }: Candidate, spec: ContainerSpec, podApp: string | undefined): number {
  if (!same(container.command, spec.command)) return 0;
  const exact = same(container.args, spec.args);
  // An interpreter's program is its arguments; a program of its own stays itself with other flags.
  if (!exact && container.command) return 0;
  return 1 + (exact ? 4 : 0) + (app === podApp ? 2 : 0) + (container.name === spec.name ? 1 : 0);
}

/** Images that the environments name, with their programs, and common public ones. */
export function createImageCatalog(environments: readonly Environment[]): ImageCatalog {
  const byImage = new Map<string, Candidate[]>();
  for (const environment of environments) {
    for (const [app, workload] of Object.entries(environment.workloads)) {
      for (const container of [...workload.initContainers, ...workload.containers]) {
        const name = fullImageName(container.image);
        byImage.set(name, [...(byImage.get(name) ?? []), { app, container }]);
      }
    }
  }

  function isPublic(name: string): boolean {
    const at = name.lastIndexOf(":");
    const repository = name.slice(0, at);
    if (!(repository in publicImages)) return false;
    return publicImages[repository]?.test(name.slice(at + 1)) ?? true;
  }

  const digest = (image: string): string => createHash("sha256").update(fullImageName(image)).digest("hex");
  const isPause = (image: string): boolean => /\/pause:[^/]+$/.test(fullImageName(image));

  return {
    exists: (image) => byImage.has(fullImageName(image)) || isPublic(fullImageName(image)),
    idOf: (image) => `${fullImageName(image).replace(/(@.*|:[^/]+)$/, "")}@sha256:${digest(image)}`,
    sizeOf: (image) => 2_000_000 + (Number.parseInt(digest(image).slice(0, 6), 16) % 90_000_000),
    behaviourOf(spec, app) {
      let best: { readonly points: number; readonly behaviour: Behaviour } | undefined;
      for (const candidate of byImage.get(fullImageName(spec.image)) ?? []) {
        const points = score(candidate, spec, app);
        if (points > (best?.points ?? 0)) best = { points, behaviour: candidate.container.behaviour };
      }
      const bare = !spec.command && !spec.args;
      return best?.behaviour ?? (bare && /(^|\/)nginx:/.test(fullImageName(spec.image)) ? nginx : undefined);
    },
    isPause,
    canRun(image, program) {
      if (isPause(image)) return program === "/pause";
      const candidates = byImage.get(fullImageName(image)) ?? [];
      // Of busybox alone it is known that it holds nothing else.
      if (/(^|\/)busybox[:@]/.test(fullImageName(image)) && !program.includes("/"))
        return programsOfImage(image).includes(program);
      const isShell = /^(\/bin\/|\/usr\/bin\/)?(sh|bash|ash)$/.test(program);
      return !(
        isShell &&
        candidates.length > 0 &&
        candidates.every((each) => each.container.behaviour.shell === "none")
      );
    },
  };
}
