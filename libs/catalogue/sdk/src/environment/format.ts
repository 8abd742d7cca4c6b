import { z } from "zod";

/** A quantity as Kubernetes reads it: YAML takes one without a unit for a number. */
const quantity = (pattern: RegExp, words: string) =>
  z.preprocess(
    (value) => (typeof value === "number" ? String(value) : value),
    z.string(words).regex(pattern, words),
  );
/** CPU in Kubernetes' notation: `100m`, `2`. */
const Cpu = quantity(/^\d+m$|^\d+(\.\d+)?$/, "a CPU quantity such as 100m or 2");
/** Memory in Kubernetes' notation: `64Mi`, `1Gi`. */
const Memory = quantity(/^\d+(Ki|Mi|Gi)$/, "a memory quantity such as 64Mi or 1Gi");

const Resources = z.strictObject({
  requests: z.strictObject({ cpu: Cpu.optional(), memory: Memory.optional() }).default({}),
  limits: z.strictObject({ cpu: Cpu.optional(), memory: Memory.optional() }).default({}),
});

const timings = {
  initialDelaySeconds: z.int().min(0).default(0),
  periodSeconds: z.int().min(1).default(10),
  timeoutSeconds: z.int().min(1).default(1),
  successThreshold: z.int().min(1).default(1),
  failureThreshold: z.int().min(1).default(3),
};

/** A kubelet probe; `exec` probes carry their real command. */
export const ProbeSpec = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("http"),
    port: z.int(),
    path: z.string(),
    headers: z.record(z.string(), z.string()).default({}),
    ...timings,
  }),
  z.strictObject({ type: z.literal("tcp"), port: z.int(), ...timings }),
  z.strictObject({ type: z.literal("exec"), command: z.array(z.string()).min(1), ...timings }),
]);
export type ProbeSpec = z.infer<typeof ProbeSpec>;
/** The field of a Kubernetes probe that says how it asks, by our type. */
export const probeHandlers = { http: "httpGet", tcp: "tcpSocket", exec: "exec" } as const;

/**
 * How the program in a container behaves. A real cluster never sees this; the embedded cluster's physics runs on it.
 * CPU times are core-seconds on one of its cores, memory in MiB.
 */
export const Behaviour = z.strictObject({
  runtime: z
    .enum([
      "go",
      "java",
      "node",
      "python",
      "dotnet",
      "redis",
      "mysql",
      "xenon",
      "rabbitmq",
      "nginx",
      "locust",
      "idle",
    ])
    .describe("decides log lines and process names"),
  startupCpuSeconds: z.number().min(0).describe("CPU work before the program listens"),
  idleCpuMillicores: z.number().min(0).describe("CPU without any request"),
  cpuMillisPerRequest: z.number().min(0).default(0),
  memoryMi: z.number().min(1).describe("resident memory without load"),
  memoryMiPerConcurrentRequest: z.number().min(0).default(0),
  listens: z.array(z.int()).default([]).describe("TCP ports the program serves"),
  paths: z
    .array(z.string())
    .default([])
    .describe("HTTP paths it answers, others get 404; empty: it answers all of them"),
  waitsFor: z
    .string()
    .optional()
    .describe("host:port that must answer before the program ends; only for init containers"),
  writesPerRequest: z
    .record(z.string(), z.number().min(0))
    .default({})
    .describe("mount path -> write calls to files below it that a request waits for, on average"),
  concurrency: z
    .int()
    .min(1)
    .default(64)
    .describe("requests served at once; python's single-threaded server: 1"),
  tools: z
    .array(z.string())
    .default([])
    .describe("further programs in the image; `busybox` and `coreutils` mean their whole set"),
  shell: z.enum(["sh", "bash", "none"]).default("sh"),
});
export type Behaviour = z.infer<typeof Behaviour>;

const EnvVar = z.union([
  z.string(),
  z.strictObject({ fieldRef: z.string() }),
  z.strictObject({ secretKeyRef: z.strictObject({ name: z.string(), key: z.string() }) }),
  z.strictObject({ configMapKeyRef: z.strictObject({ name: z.string(), key: z.string() }) }),
]);

/**
 * One container of a workload: what Kubernetes gets, and `behaviour`, by which the embedded cluster simulates its
 * program.
 */
export const ContainerSpec = z.strictObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  ports: z.array(z.strictObject({ name: z.string().optional(), containerPort: z.int() })).default([]),
  env: z.record(z.string(), EnvVar).default({}),
  envFrom: z
    .array(z.union([z.strictObject({ configMap: z.string() }), z.strictObject({ secret: z.string() })]))
    .default([]),
  resources: Resources.prefault({}),
  volumeMounts: z.record(z.string(), z.string()).default({}).describe("mount path -> volume name"),
  readinessProbe: ProbeSpec.optional(),
  livenessProbe: ProbeSpec.optional(),
  capabilities: z.array(z.string()).default([]),
  postStart: z.array(z.string()).min(1).optional().describe("command run in the container once it started"),
  behaviour: Behaviour,
});
export type ContainerSpec = z.infer<typeof ContainerSpec>;

/** A volume of a workload. `size` of a claim is a quantity with Ki, Mi or Gi, e.g. `1Gi`. */
export const VolumeSpec = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("emptyDir") }),
  z.strictObject({ type: z.literal("configMap"), name: z.string() }),
  z.strictObject({
    type: z.literal("claim"),
    size: Memory,
    accessMode: z.literal("ReadWriteOnce").default("ReadWriteOnce"),
  }),
]);
export type VolumeSpec = z.infer<typeof VolumeSpec>;

/** A call that a workload makes while it serves one of its own requests. */
export const CallSpec = z.strictObject({
  to: z.string().describe("workload called"),
  address: z.string().describe("host:port as the program dials it, e.g. cartservice:7070"),
  env: z
    .string()
    .optional()
    .describe(
      "environment variable that holds the address, if the program takes it from one; without it the calls fail",
    ),
  protocol: z.enum(["http", "grpc", "redis", "mysql", "amqp", "nacos"]),
  login: z
    .strictObject({
      user: z.string(),
      password: z.string(),
      database: z.string(),
      pool: z.int().min(1).optional().describe("connections that it keeps; default 10"),
    })
    .optional()
    .describe(
      "environment variables in which the program finds its credentials for a MySQL server; without it they are not checked",
    ),
  writeShare: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("share of the calls to a datastore that change its data; default 0.3"),
  discovery: z
    .enum(["dns", "nacos"])
    .default("dns")
    .describe("nacos: the caller dials pod IPs from the registry, so readiness does not matter"),
  paths: z.array(z.string()).default([]),
  perRequest: z
    .number()
    .min(0)
    .describe("calls per request served, on average; below 1 it is the share of requests that make the call"),
  timeoutSeconds: z.number().positive().describe("after which the caller gives up, or tries again"),
  retries: z.int().min(0).max(10).optional().describe("further tries after a failure; default none"),
  retryBackoffMs: z.number().min(0).optional().describe("wait before each further try; default none"),
  required: z.boolean().default(true).describe("false: the caller continues without an answer"),
});
export type CallSpec = z.infer<typeof CallSpec>;

/**
 * A Deployment or StatefulSet with its containers, and `calls`: what its program asks of other workloads for each
 * request it serves.
 */
export const WorkloadSpec = z.strictObject({
  kind: z.enum(["Deployment", "StatefulSet"]),
  replicas: z.int().min(0).default(1),
  labels: z.record(z.string(), z.string()).default({}).describe("pod labels; the selector's are added"),
  selector: z
    .record(z.string(), z.string())
    .refine((labels) => Object.keys(labels).length > 0, "at least one label")
    .optional()
    .describe("labels by which it finds its pods; default: `app: <name>`"),
  annotations: z.record(z.string(), z.string()).default({}),
  serviceName: z.string().optional().describe("StatefulSet's headless service"),
  terminationGracePeriodSeconds: z.int().min(0).default(30),
  permissions: z
    .array(z.strictObject({ resources: z.array(z.string()).min(1), verbs: z.array(z.string()).min(1) }))
    .default([])
    .describe("what its pods may do at the API server within their namespace"),
  keepsData: z
    .boolean()
    .optional()
    .describe(
      "each replica keeps data of its own, so that another one splits it; default: StatefulSets, those with a claim, those with the image of a known store, and those that are called by redis, mysql, amqp or nacos",
    ),
  initContainers: z.array(ContainerSpec).default([]),
  containers: z.array(ContainerSpec).min(1),
  volumes: z.record(z.string(), VolumeSpec).default({}),
  calls: z.array(CallSpec).default([]),
});
export type WorkloadSpec = z.infer<typeof WorkloadSpec>;

/** A Kubernetes Service. `targetPort` is a number, or the name of a container's port. */
export const ServiceSpec = z.strictObject({
  type: z.enum(["ClusterIP", "NodePort", "LoadBalancer"]).default("ClusterIP"),
  headless: z.boolean().default(false),
  publishNotReadyAddresses: z.boolean().default(false),
  selector: z.record(z.string(), z.string()),
  ports: z
    .array(
      z.strictObject({
        name: z.string().optional(),
        port: z.int(),
        targetPort: z.union([z.int(), z.string()]),
      }),
    )
    .min(1),
});
export type ServiceSpec = z.infer<typeof ServiceSpec>;

/** Who sends requests into the system. */
export const LoadSpec = z.strictObject({
  entry: z.string().describe("host:port that receives the load"),
  path: z.string().default("/"),
  requestsPerSecond: z.number().min(0),
  from: z.string().optional().describe("workload that sends it; default: outside the system"),
  diurnal: z
    .strictObject({
      amplitude: z.number().min(0).max(1).describe("share of the rate that comes and goes"),
      periodSeconds: z.number().positive().default(86_400),
      peakAtSeconds: z.number().min(0).default(50_400).describe("after midnight UTC; default 14:00"),
    })
    .optional()
    .describe("a day's course: rate x (1 + amplitude x cosine)"),
  bursts: z
    .strictObject({
      everySeconds: z.number().positive().describe("one burst in every such stretch, its moment seeded"),
      durationSeconds: z.number().positive(),
      factor: z.number().min(0).describe("rate during a burst, as a multiple"),
    })
    .refine(({ everySeconds, durationSeconds }) => durationSeconds <= everySeconds, {
      message: "durationSeconds must not exceed everySeconds",
    })
    .optional(),
});
export type LoadSpec = z.infer<typeof LoadSpec>;

/** One system under test. This is the format of `libs/catalogue/environments/<name>/environment.yaml`. */
export const Environment = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  description: z.string(),
  source: z.string().describe("where the system and its numbers come from"),
  namespace: z.string().describe("default namespace"),
  targets: z.array(z.string()).min(1).describe("workloads that a fault may be drawn for"),
  dataMounts: z
    .record(z.string(), z.string())
    .default({})
    .describe("workload -> mounted directory in which its first container keeps files that it waits for"),
  configMaps: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  secrets: z
    .record(z.string(), z.record(z.string(), z.string()))
    .default({})
    .describe("demo credentials of the system itself, in plain text"),
  workloads: z.record(z.string(), WorkloadSpec),
  services: z.record(z.string(), ServiceSpec),
  load: LoadSpec,
});
export type Environment = z.infer<typeof Environment>;
