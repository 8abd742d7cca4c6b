import type { ContainerRuntime, PodSandbox } from "@microremed/sim-machine";

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const environments = new WeakMap<ContainerRuntime, Readonly<Record<string, string>>>();

/** What a container's processes find in their environment. Made once for each: there may be some for every Service. */
export function environmentOf(
  sandbox: PodSandbox,
  container: ContainerRuntime,
): Readonly<Record<string, string>> {
  const known = environments.get(container);
  if (known) return known;
  const home = container.env["HOME"] ?? "/root";
  const made = Object.freeze({ PATH: path, HOSTNAME: sandbox.hostname, ...container.env, HOME: home });
  environments.set(container, made);
  return made;
}
