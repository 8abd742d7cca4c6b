import { parseQuantity } from "@microremed/cluster";
import { z } from "zod";
import type { ContainerSpec, EnvFrom, EnvValue, ProbeSpec } from "./environment.types.ts";
import type { Behaviour } from "./format.ts";
import { impliedBehaviour } from "./implied-behaviour.ts";

const count = (standard: number) => z.number().default(standard);
/** A port of a container or a Service. */
export const portNumber = z.int().min(1).max(65_535);
const port = z.union([portNumber, z.string()]);
const KeyRef = z.object({ name: z.string(), key: z.string(), optional: z.boolean().optional() });

const Probe = z.object({
  httpGet: z
    .object({
      port,
      path: z.string().default("/"),
      httpHeaders: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    })
    .optional(),
  tcpSocket: z.object({ port }).optional(),
  grpc: z.object({ port }).optional(),
  exec: z.object({ command: z.array(z.string()).default([]) }).optional(),
  initialDelaySeconds: count(0),
  periodSeconds: count(10),
  timeoutSeconds: count(1),
  successThreshold: count(1),
  failureThreshold: count(3),
});

const quantity = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((text) => parseQuantity(text) !== undefined, "a quantity, such as 200m or 64Mi");
const Amounts = z.record(z.string(), quantity).default({});
const EnvSource = z.object({
  fieldRef: z.object({ fieldPath: z.string() }).optional(),
  resourceFieldRef: z.object({ resource: z.string() }).optional(),
  secretKeyRef: KeyRef.optional(),
  configMapKeyRef: KeyRef.optional(),
});
const Source = z.object({ name: z.string(), optional: z.boolean().optional() });

/** What is read of a container in a manifest. */
export const RawContainer = z.object({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  ports: z
    .array(
      z.object({
        name: z.string().optional(),
        containerPort: portNumber,
        protocol: z.string().default("TCP"),
      }),
    )
    .default([]),
  env: z
    .array(z.object({ name: z.string(), value: z.string().default(""), valueFrom: EnvSource.optional() }))
    .default([]),
  envFrom: z
    .array(
      z.object({
        prefix: z.string().default(""),
        configMapRef: Source.optional(),
        secretRef: Source.optional(),
      }),
    )
    .default([]),
  resources: z.object({ requests: Amounts, limits: Amounts }).prefault({}),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })).default([]),
  readinessProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  startupProbe: Probe.optional(),
});
type RawContainer = z.output<typeof RawContainer>;

/** A container as the rest of the product reads it. `modelled`: what the model says of its program. */
export function containerOf(raw: RawContainer, modelled: Behaviour | undefined): ContainerSpec {
  const { name, image, command, args } = raw;
  const probes = Object.fromEntries(
    (["readinessProbe", "livenessProbe", "startupProbe"] as const).flatMap((which) => {
      const probe = raw[which] && probeOf(raw[which], raw);
      return probe ? [[which, probe]] : [];
    }),
  );
  const read = {
    name,
    image,
    ...(command && { command }),
    ...(args && { args }),
    ports: raw.ports.map(({ protocol, ...rest }) => (protocol === "TCP" ? rest : { ...rest, protocol })),
    env: Object.fromEntries(
      raw.env.map(({ name: variable, value, valueFrom }) => [variable, valueFrom ? from(valueFrom) : value]),
    ),
    envFrom: raw.envFrom.flatMap(sourceOf),
    resources: raw.resources,
    volumeMounts: Object.fromEntries(
      raw.volumeMounts.map(({ mountPath, name: volume }) => [mountPath, volume]),
    ),
    ...probes,
  } as Omit<ContainerSpec, "behaviour">;
  return { ...read, behaviour: modelled ?? impliedBehaviour(read) };
}

/** How the program of a container in a manifest behaves, as far as its image, its command, its ports and its probes imply it. */
export const impliedBehaviourOf = (manifest: unknown): Behaviour =>
  containerOf(RawContainer.parse(manifest), undefined).behaviour;

function from({
  fieldRef,
  resourceFieldRef,
  secretKeyRef,
  configMapKeyRef,
}: z.output<typeof EnvSource>): EnvValue {
  if (secretKeyRef) return { secretKeyRef };
  if (configMapKeyRef) return { configMapKeyRef };
  if (resourceFieldRef) return { resourceFieldRef: resourceFieldRef.resource };
  return { fieldRef: fieldRef?.fieldPath ?? "" };
}

function sourceOf({ prefix, configMapRef, secretRef }: RawContainer["envFrom"][number]): EnvFrom[] {
  const before = prefix === "" ? {} : { prefix };
  if (configMapRef) {
    const { name: configMap, ...rest } = configMapRef;
    return [{ configMap, ...rest, ...before }];
  }
  if (!secretRef) return [];
  const { name: secret, ...rest } = secretRef;
  return [{ secret, ...rest, ...before }];
}

function probeOf(raw: z.output<typeof Probe>, container: RawContainer): ProbeSpec | undefined {
  const { httpGet, tcpSocket, grpc, exec, ...timings } = raw;
  const numberOf = (given: number | string): number =>
    typeof given === "number"
      ? given
      : (container.ports.find(({ name }) => name === given)?.containerPort ?? Number(given));
  if (httpGet) {
    const headers = Object.fromEntries(httpGet.httpHeaders.map(({ name, value }) => [name, value]));
    return { type: "http", port: numberOf(httpGet.port), path: httpGet.path, headers, ...timings };
  }
  if (tcpSocket) return { type: "tcp", port: numberOf(tcpSocket.port), ...timings };
  if (grpc) return { type: "grpc", port: numberOf(grpc.port), ...timings };
  return exec && { type: "exec", command: exec.command, ...timings };
}
