import { badRequest, type KubeObject, type Loose } from "@microremed/sim-objects";

/** The container that a log, exec or attach request means. Throws 400 as a real server words it. */
export function chooseContainer(pod: KubeObject, wanted: string | null): string {
  const names = (list: Loose): string[] => (list ?? []).map((container: Loose) => container.name);
  const containers = names(pod.spec?.containers);
  const inits = names(pod.spec?.initContainers);
  const all = [...containers, ...inits, ...names(pod.spec?.ephemeralContainers)];
  const { name } = pod.metadata;
  if (wanted) {
    if (all.includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  const annotated = pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"];
  if (annotated && containers.includes(annotated)) return annotated;
  const [only, ...more] = containers;
  if (only !== undefined && more.length === 0) return only;
  const choice = `choose one of: [${containers.join(" ")}]`;
  const initText = inits.length > 0 ? ` or one of the init containers: [${inits.join(" ")}]` : "";
  throw badRequest(`a container name must be specified for pod ${name}, ${choice}${initText}`);
}

export function containerStatus(pod: KubeObject, container: string): Loose {
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = pod.status ?? {};
  const all = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses];
  return all.find((status: Loose) => status.name === container);
}
