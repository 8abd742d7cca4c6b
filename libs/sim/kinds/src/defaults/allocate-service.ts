import { createHash } from "node:crypto";
import { invalid, type KubeObject, type Loose, type NewObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

const services = { group: "", resource: "services" };
/** 10.96.0.0/12; the first addresses are kept for the API server and cluster DNS. */
const firstAddress = (10 << 24) + (96 << 16);
const addressCount = 2 ** 20;
/** Kubernetes keeps min(max(16, size / 16), 256) addresses for Services that ask for one by name (KEP-3070). */
const reserved = 256;
/** The API server's default --service-node-port-range: 30000-32767. */
const firstNodePort = 30_000;
const nodePortCount = 2768;

function addressText(offset: number): string {
  const value = firstAddress + offset;
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}

function hash(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}

/** The first free candidate, starting at a place that the service's name decides: the same world every time. */
function allocate(seed: string, count: number, isTaken: (candidate: number) => boolean): number {
  const start = hash(seed) % count;
  for (let step = 0; step < count; step += 1) {
    const candidate = (start + step) % count;
    if (!isTaken(candidate)) return candidate;
  }
  return start;
}

function refuse(object: NewObject, field: string, value: unknown, why: string): Error {
  const message = `Invalid value: ${JSON.stringify(value)}: ${why}`;
  return invalid({ group: "", kind: "Service" }, object.metadata.name ?? "", [
    { reason: "FieldValueInvalid", message, field },
  ]);
}

/** Gives a service its cluster IP and node ports; keeps those of `old`. */
export function allocateService(store: Store, object: NewObject, old: KubeObject | undefined): NewObject {
  const spec: Loose = { ...object.spec };
  const others = store.list(services).filter((service) => service.metadata.uid !== old?.metadata.uid);
  const seed = `${object.metadata.namespace}/${object.metadata.name}`;
  if (spec.type === "ExternalName") {
    const { clusterIP: _ip, clusterIPs: _ips, ...external } = spec;
    return { ...object, spec: external };
  }
  const takenIps = new Set(others.map((service) => service.spec?.clusterIP));
  if (old?.spec?.clusterIP && old.spec.type !== "ExternalName") {
    spec.clusterIP ??= old.spec.clusterIP;
    if (spec.clusterIP !== old.spec.clusterIP) {
      throw refuse(object, "spec.clusterIPs[0]", [spec.clusterIP], "may not change once set");
    }
  }
  if (spec.clusterIP && spec.clusterIP !== "None" && takenIps.has(spec.clusterIP)) {
    throw refuse(
      object,
      "spec.clusterIPs",
      [spec.clusterIP],
      `failed to allocate IP ${spec.clusterIP}: provided IP is already allocated`,
    );
  }
  spec.clusterIP ||= addressText(
    reserved + allocate(seed, addressCount - reserved - 1, (at) => takenIps.has(addressText(reserved + at))),
  );
  spec.clusterIPs = [spec.clusterIP];
  return { ...object, spec: { ...spec, ports: allocateNodePorts(object, spec, old, others, seed) } };
}

function allocateNodePorts(
  object: NewObject,
  spec: Loose,
  old: KubeObject | undefined,
  others: readonly KubeObject[],
  seed: string,
): Loose[] | undefined {
  const wanted = spec.type === "NodePort" || spec.type === "LoadBalancer";
  if (!wanted) return spec.ports?.map(({ nodePort: _dropped, ...port }: Loose) => port);
  const taken = new Set(
    others.flatMap((service) => (service.spec?.ports ?? []).map((port: Loose) => port.nodePort)),
  );
  return spec.ports?.map((port: Loose, index: number) => {
    const before = (old?.spec?.ports ?? []).find((candidate: Loose) => candidate.port === port.port);
    const given = port.nodePort || before?.nodePort;
    if (given !== undefined && taken.has(given)) {
      throw refuse(object, `spec.ports[${index}].nodePort`, given, "provided port is already allocated");
    }
    const nodePort =
      given ??
      firstNodePort + allocate(`${seed}/${port.port}`, nodePortCount, (at) => taken.has(firstNodePort + at));
    taken.add(nodePort);
    return { ...port, nodePort };
  });
}
