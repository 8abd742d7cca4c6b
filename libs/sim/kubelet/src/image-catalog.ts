import { createHash } from "node:crypto";
import type { Behaviour, ContainerSpec as EnvContainer, Environment } from "@microremed/environments";
import { isBareImage, programsOfImage } from "@microremed/sim-machine";
import type { ContainerSpec } from "./container-spec.ts";
import { fullImageName, originOf, parseImageName } from "./image-name.ts";
import { lacksProgram } from "./implied-server.ts";
import { publicBehaviour } from "./public-programs.ts";
import { isPublicTag } from "./public-tags.ts";

export interface ImageCatalog {
  /** Whether the registry has the image. */
  exists(image: string): boolean;
  /** `repository@sha256:...`, the same for the same name. */
  idOf(image: string): string;
  /** Compressed size, bytes. */
  sizeOf(image: string): number;
  /** How the container's program behaves; undefined: nothing but its command. */
  behaviourOf(
    spec: ContainerSpec,
    podLabels: Labels | undefined,
    namespace?: string | undefined,
  ): Behaviour | undefined;
  /** Programs that the image is known to have beside its usual ones; undefined: nothing is known of it. */
  programsOf(image: string): readonly string[] | undefined;
  /** Whether the image has nothing but a program that waits for ever. */
  isPause(image: string): boolean;
  /** Whether a command can be started in the image. */
  canRun(image: string, program: string): boolean;
}

const isShell = /^(\/bin\/|\/usr\/bin\/)?(sh|bash|ash)$/;

type Labels = Readonly<Record<string, string>>;

interface Candidate {
  /** Of its environment. */
  readonly namespace: string;
  /** Of its workload; of a Job the labels of its pods. */
  readonly selector: readonly (readonly [string, string])[];
  /** The Job or CronJob that it is of; undefined: it is a workload's. */
  readonly job?: string;
  readonly container: EnvContainer;
}

const same = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  JSON.stringify(a ?? []) === JSON.stringify(b ?? []);

/** A container that is to be started. */
interface Wanted {
  readonly spec: ContainerSpec;
  readonly podLabels: Labels;
  readonly namespace: string | undefined;
}

/** More than all else together: what runs where an environment is deployed is that environment's. */
const ofNamespace = 8;

/** How well a container of an environment explains a container that is to be started; 0: not at all. */
function score(candidate: Candidate, { spec, podLabels, namespace }: Wanted): number {
  const { selector, container } = candidate;
  if (!same(container.command, withoutPath(spec.command, container.command))) return 0;
  const exact = same(container.args, spec.args);
  const job = podLabels["batch.kubernetes.io/job-name"] ?? podLabels["job-name"];
  // A Job that runs an image of a workload with words of its own does something else than to serve.
  if (candidate.job === undefined ? job !== undefined && !exact : job === undefined) return 0;
  // An interpreter's program is its arguments; a program of its own stays itself with other flags.
  if (!exact && container.command) return 0;
  const isRun = candidate.job === undefined || job === candidate.job || job?.startsWith(`${candidate.job}-`);
  const own = isRun && isOwn(selector, podLabels) ? 2 : 0;
  const placed = namespace !== undefined && isArenaOf(candidate.namespace, namespace) ? ofNamespace : 0;
  return 1 + placed + (exact ? 4 : 0) + own + (container.name === spec.name ? 1 : 0);
}

/** An environment's arenas are its own namespace and numbered ones beside it. */
const isArenaOf = (own: string, namespace: string): boolean =>
  namespace.startsWith(own) && /^(-\d+)?$/.test(namespace.slice(own.length));

const isOwn = (selector: Candidate["selector"], podLabels: Labels): boolean =>
  selector.every(([label, value]) => podLabels[label] === value);

function best(candidates: readonly Candidate[], wanted: Wanted): Behaviour | undefined {
  const rated = candidates.map((one) => ({ one, points: score(one, wanted) }));
  const [first] = rated.filter(({ points }) => points > 0).toSorted((a, b) => b.points - a.points);
  return first?.one.container.behaviour;
}

/** A command with its program as another one calls it, if it only adds the folder in which images have their programs. */
function withoutPath(
  command: readonly string[] | undefined,
  [program]: readonly string[] = [],
): readonly string[] | undefined {
  const [first = "", ...others] = command ?? [];
  const isSame = /^\/usr(\/local)?\/bin\/([\w.-]+)$/.exec(first)?.[2] === program;
  return isSame && program !== undefined ? [program, ...others] : command;
}

const nameOf = (image: string): string => {
  const { repository, tag, digest } = parseImageName(image);
  return `${originOf(repository)}:${tag ?? digest}`;
};

function jobImages({ manifests = [] }: Pick<Environment, "manifests">): string[] {
  return manifests.flatMap((manifest) => {
    const { template, jobTemplate } = (manifest["spec"] ?? {}) as JobSpec;
    const pod = jobTemplate?.spec?.template?.spec ?? (manifest.kind === "Job" ? template?.spec : undefined);
    return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])].map(({ image }) => image);
  });
}

interface PodTemplate {
  readonly spec?: {
    readonly initContainers?: readonly { readonly image: string }[];
    readonly containers?: readonly { readonly image: string }[];
  };
}

interface JobSpec {
  readonly template?: PodTemplate;
  readonly jobTemplate?: { readonly spec?: { readonly template?: PodTemplate } };
}

/** Registries of names that are for examples and tests, and resolve nowhere. */
const isNowhere = (repository: string): boolean =>
  /\.(example|invalid|test)(:\d+)?$/.test(repository.split("/")[0] ?? "");

/**
 * Images that the environments name, with their programs, and common public ones; of each the mirrors' copies, too. `others`: any
 * image of a repository that no environment has exists, too.
 */
export function createImageCatalog(
  environments: readonly Environment[],
  { others = false }: { readonly others?: boolean } = {},
): ImageCatalog {
  const byImage = new Map<string, Candidate[]>();
  const byRepository = new Map<string, Candidate[]>();
  /** Images that nothing but Jobs has. */
  const ofJobs = new Set(environments.flatMap(jobImages).map(nameOf));
  /** What a digest names, by `repository@digest`. */
  const byDigest = new Map<string, string>();
  function add({ container, ...from }: Candidate): void {
    for (const image of [container.image, ...Object.keys(container.behaviour.versions ?? {})]) {
      const { repository, tag, digest } = parseImageName(image);
      const origin = originOf(repository);
      const name = `${origin}:${tag ?? digest}`;
      if (digest !== undefined) byDigest.set(`${origin}@${digest}`, name);
      byImage.set(name, [...(byImage.get(name) ?? []), { ...from, container }]);
      byRepository.set(origin, [...(byRepository.get(origin) ?? []), { ...from, container }]);
    }
  }
  for (const { namespace, workloads, jobs } of environments) {
    for (const { selector, initContainers, containers } of Object.values(workloads))
      for (const container of [...initContainers, ...containers])
        add({ namespace, selector: Object.entries(selector), container });
    for (const [job, { labels, initContainers, containers }] of Object.entries(jobs))
      for (const container of [...initContainers, ...containers])
        add({ namespace, selector: Object.entries(labels), job, container });
  }

  /** The image with its origin's repository and its tag. A digest counts, whatever tag is beside it. */
  function contentOf(
    image: string,
  ): { name: string; repository: string; tag: string | undefined } | undefined {
    const { repository: given, tag, digest } = parseImageName(image);
    const repository = originOf(given);
    const name = digest === undefined ? `${repository}:${tag}` : byDigest.get(`${repository}@${digest}`);
    if (name === undefined) return undefined;
    const known = name.slice(repository.length + 1);
    return { name, repository, tag: known.startsWith("sha256:") ? undefined : known };
  }

  const hash = (name: string): string => createHash("sha256").update(name).digest("hex");
  /** Of the content: a mirror's copy has its origin's. */
  function digestOf(image: string): string {
    const { digest } = parseImageName(image);
    if (digest !== undefined) return digest.replace(/^sha256:/, "");
    const content = contentOf(image);
    const made = hash(content?.name ?? image);
    if (content) byDigest.set(`${content.repository}@sha256:${made}`, content.name);
    return made;
  }
  const isPause = (image: string): boolean => /\/pause$/.test(parseImageName(image).repository);
  const candidatesOf = (image: string): readonly Candidate[] =>
    byImage.get(contentOf(image)?.name ?? "") ?? [];

  /** A workload with another tag of its public image, such as a newer Redis, is the same program. */
  function otherVersion(
    { repository, tag }: { readonly repository: string; readonly tag: string | undefined },
    wanted: Wanted,
  ): Behaviour | undefined {
    if (tag === undefined || !isPublicTag(repository, tag)) return undefined;
    const own = (byRepository.get(repository) ?? []).filter(({ selector }) =>
      isOwn(selector, wanted.podLabels),
    );
    return best(own, wanted);
  }

  return {
    exists(image) {
      const content = contentOf(image);
      const origin = originOf(parseImageName(image).repository);
      if (others && !byRepository.has(origin) && !isNowhere(origin)) return true;
      if (!content) return false;
      const { name, repository, tag } = content;
      return byImage.has(name) || ofJobs.has(name) || (tag !== undefined && isPublicTag(repository, tag));
    },
    idOf: (image) => `${parseImageName(image).repository}@sha256:${digestOf(image)}`,
    sizeOf: (image) => 2_000_000 + (Number.parseInt(digestOf(image).slice(0, 6), 16) % 90_000_000),
    behaviourOf(spec, podLabels = {}, namespace) {
      const wanted = { spec, podLabels, namespace };
      const named = best(candidatesOf(spec.image), wanted);
      const content = contentOf(spec.image);
      if (named || !content) return named;
      return otherVersion(content, wanted) ?? publicBehaviour(content.repository, content.tag, spec);
    },
    programsOf(image) {
      const candidates = candidatesOf(image);
      if (candidates.length === 0 && !isBareImage(image)) return undefined;
      const first = candidates.flatMap(({ container }) => container.command?.[0] ?? []);
      return first.filter((program) => !isShell.test(program));
    },
    isPause,
    canRun(image, program) {
      if (isPause(image)) return program === "/pause";
      const candidates = candidatesOf(image);
      const content = contentOf(image);
      if (content && publicBehaviour(content.repository, content.tag, { command: [program] })) return true;
      // Of busybox alone it is known that it holds nothing else.
      if (/(^|\/)busybox[:@]/.test(fullImageName(image)) && !program.includes("/"))
        return programsOfImage(image).includes(program);
      if (lacksProgram(image, program)) return false;
      return !(
        isShell.test(program) &&
        candidates.length > 0 &&
        candidates.every((each) => each.container.behaviour.shell === "none")
      );
    },
  };
}
