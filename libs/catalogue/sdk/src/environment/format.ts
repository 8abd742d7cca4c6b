import { z } from "zod";

/** Numbers above these cannot be meant, or no cluster carries them. */
const upTo = (most: number) => z.number().min(0).max(most);
const hour = 3_600;
const cores = 1_000;
const perRequest = 1_000;
const memoryMi = 1_048_576;

const httpPath = z.string().startsWith("/");
const share = upTo(1).optional();
const milliseconds = upTo(1_000 * hour).optional();

/** What a feature flag does to the calls that its program makes to a workload. */
const CallEffect = z.strictObject({
  to: z.string().describe("workload called"),
  errors: share.describe("share of these calls that go to an address at which nothing is"),
  delayMs: milliseconds.describe(
    "wait before each of these calls; of one that reads a topic, at each message",
  ),
  more: upTo(perRequest).optional().describe("further calls for each, for which the caller does not wait"),
  leak: z
    .strictObject({
      pool: z.int().min(1).describe("connections that the program has to the workload at most"),
      share: z.number().positive().max(1).describe("of these calls, those that never give theirs back"),
    })
    .optional()
    .describe("connections that are not given back, until the program ends"),
});

/**
 * What a program does while a feature flag is on. Its numbers are for a value of 1, which `true` is: a flag whose variant is
 * 0.5 has half of the effect.
 */
export const FlagEffect = z.strictObject({
  target: z
    .string()
    .optional()
    .describe("workload that a fault of the flag is said to hit; default: its own"),
  errors: share.describe("share of its requests that end in an error"),
  wrong: share.describe(
    "share of its answers without an error that are wrong; so is what callers make of them",
  ),
  operation: z
    .string()
    .optional()
    .describe("the `operation` of the calls to it of which these are; default: all of its requests"),
  says: z.string().optional().describe("what callers log of such an error"),
  calls: z.array(CallEffect).default([]).describe("what becomes of calls that it makes"),
  delayMs: milliseconds.describe("wait in each of its requests, on average"),
  unready: z.boolean().optional().describe("its gRPC health checks say that it does not serve"),
  cpuMillisPerRequest: milliseconds.describe("further CPU of each of its requests"),
  cpuMillicores: upTo(1_000 * cores)
    .optional()
    .describe("CPU that threads of its own use beside its requests"),
  memoryGrowth: z
    .strictObject({
      fromMi: z.number().positive().max(memoryMi).describe("memory of the first entries"),
      perRequest: z.number().positive().max(1).describe("share by which a request makes it grow"),
    })
    .optional()
    .describe("memory that grows with what it is already, until the program ends"),
  requests: z
    .array(z.strictObject({ path: z.string(), perSecond: z.number().positive().max(100_000) }))
    .default([])
    .describe("of the workload that sends the load: further requests for a path of the mix"),
});
export type FlagEffect = z.infer<typeof FlagEffect>;

/** What is wrong with a version of a program, in the words of flags; and it may not start at all. */
const VersionEffect = FlagEffect.extend({
  exits: z
    .int()
    .min(1)
    .max(255)
    .optional()
    .describe("it ends with this code when it starts, after saying `says`; default: it starts"),
});

/** How a program ends by itself, as those of Jobs do. */
export const Ending = z.strictObject({
  afterSeconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(0)
    .describe("how long it runs besides its CPU work and the answers to its calls, which are spread over it"),
  exitCode: z.int().min(0).max(255).default(0),
  says: z.array(z.string()).max(1_000).default([]).describe("lines that it prints when it ends"),
});

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
      "cpp",
      "php",
      "ruby",
      "rust",
      "elixir",
      "flagd",
      "nginx",
      "envoy",
      "redis",
      "memcached",
      "mysql",
      "postgresql",
      "mongodb",
      "rabbitmq",
      "nats",
      "kafka",
      "xenon",
      "locust",
      "idle",
    ])
    .describe("decides log lines and process names"),
  startupCpuSeconds: upTo(hour).describe("CPU work before the program listens"),
  idleCpuMillicores: upTo(1_000 * cores).describe("CPU without any request"),
  cpuMillisPerRequest: upTo(1_000 * hour).default(0),
  memoryMi: z.number().min(1).max(memoryMi).describe("resident memory without load"),
  memoryMiPerConcurrentRequest: upTo(memoryMi).default(0),
  listens: z.array(z.int().min(1).max(65_535)).max(100).default([]).describe("TCP ports the program serves"),
  paths: z
    .array(httpPath)
    .default([])
    .describe("HTTP paths it answers, others get 404; empty: it answers all of them"),
  waitsFor: z
    .string()
    .optional()
    .describe("host:port that must answer before the program ends; only for init containers"),
  writesPerRequest: z
    .record(z.string(), upTo(perRequest))
    .default({})
    .describe("mount path -> write calls to files below it that a request waits for, on average"),
  concurrency: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(64)
    .describe("requests served at once; python's single-threaded server: 1"),
  flags: z
    .record(z.string(), FlagEffect)
    .optional()
    .describe("feature flag that it asks flagd for -> what it does while the flag is on"),
  versions: z
    .record(z.string(), VersionEffect)
    .optional()
    .describe("image of another version that was released -> what is wrong with it, in the words of `flags`"),
  switches: z
    .record(z.string(), FlagEffect)
    .optional()
    .describe(
      "environment variable that it reads when it starts -> what it does where its value is `true`, in the words of `flags`",
    ),
  admits: z
    .string()
    .optional()
    .describe(
      "environment variable with the requests per second that it takes at most: others wait in its queue; without it there is no such limit",
    ),
  keeps: z
    .string()
    .optional()
    .describe(
      "environment variable with the KiB that it keeps in memory of each request, until it ends; without it, or with 0, it keeps nothing",
    ),
  tools: z
    .array(z.string())
    .default([])
    .describe("further programs in the image; `busybox` and `coreutils` mean their whole set"),
  shell: z.enum(["sh", "bash", "none"]).default("sh"),
  logs: z
    .strictObject({
      format: z
        .enum(["json", "zerolog", "zap", "hclog", "plain"])
        .optional()
        .describe("of its lines; default: that of its runtime's usual logger"),
      starting: z.array(z.string()).optional().describe("what it says when it starts"),
      ready: z.array(z.string()).optional().describe("what it says when it listens"),
      requests: z.boolean().default(true).describe("whether it says how its requests go"),
    })
    .optional()
    .describe("what it prints; default: as programs of its runtime do"),
  ends: Ending.optional().describe("it ends by itself; default: it runs on, unless it is a Job's"),
});
export type Behaviour = z.infer<typeof Behaviour>;

/** A call that a workload makes while it serves one of its own requests. */
export const CallSpec = z.strictObject({
  to: z.string().describe("workload called"),
  address: z.string().describe("host:port as the program dials it, e.g. cartservice:7070"),
  env: z
    .string()
    .optional()
    .describe(
      "environment variable that holds the address, alone or in a URL, if the program takes it from one; without it the calls fail",
    ),
  protocol: z.enum([
    "http",
    "grpc",
    "thrift",
    "redis",
    "memcached",
    "mysql",
    "postgresql",
    "mongodb",
    "amqp",
    "nats",
    "kafka",
    "nacos",
  ]),
  operation: z
    .string()
    .optional()
    .describe("what it asks for, where flags of the workload called hit one of its operations"),
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
  connectionString: z
    .string()
    .optional()
    .describe(
      "environment variable with a URL or a list of `name=value` in which the program finds its credentials for a PostgreSQL server; without it they are not checked",
    ),
  table: z
    .string()
    .optional()
    .describe("of a call to PostgreSQL: the table with its schema, for whose lock it waits"),
  credentials: z
    .strictObject({ user: z.string(), password: z.string(), database: z.string() })
    .optional()
    .describe(
      "what its program has in its code for a MongoDB server: a user of admin, and the database it uses",
    ),
  writeShare: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("share of the calls to a datastore that change its data; default 0.3"),
  topic: z
    .string()
    .min(1)
    .optional()
    .describe("of a call to Kafka: the topic to which each call writes a message, or from which it reads"),
  reads: z
    .strictObject({ group: z.string(), mostPerSecond: z.number().positive().max(1_000_000) })
    .optional()
    .describe("it reads the topic by itself: its consumer group, and how many messages it can take"),
  discovery: z
    .enum(["dns", "nacos"])
    .default("dns")
    .describe("nacos: the caller dials pod IPs from the registry, so readiness does not matter"),
  paths: z.array(httpPath).default([]),
  onPaths: z
    .array(z.string())
    .optional()
    .describe("paths of its own requests for which the workload at the entry makes the call; default: all"),
  perRequest: upTo(perRequest).describe(
    "calls per request served, on average; below 1 it is the share of requests that make the call",
  ),
  timeoutSeconds: z.number().positive().max(hour).describe("after which the caller gives up, or tries again"),
  retries: z.int().min(0).max(10).optional().describe("further tries after a failure; default none"),
  retryBackoffMs: milliseconds.describe("wait before each further try; default none"),
  policy: z
    .strictObject({
      attempts: z.string().describe("tries in all"),
      timeoutMs: z.string().describe("after which a try is given up"),
      backoffMs: z.string().describe("wait before each further try"),
    })
    .optional()
    .describe(
      "environment variables from which the caller takes how it tries; of one that is not set, what is written here counts",
    ),
  atStart: z
    .boolean()
    .optional()
    .describe("the caller also makes the call before it listens, and ends if it fails for ten seconds"),
  required: z.boolean().default(true).describe("false: the caller continues without an answer"),
});
export type CallSpec = z.infer<typeof CallSpec>;

/** What manifests do not say of a workload. A real cluster never sees this, except for what it says about data. */
export const WorkloadModel = z.strictObject({
  containers: z
    .record(z.string(), Behaviour)
    .default({})
    .describe(
      "container or init container -> how its program behaves; without it, as its image and its command imply",
    ),
  calls: z.array(CallSpec).default([]).describe("what it asks of other workloads for each request it serves"),
  dataMount: z
    .string()
    .optional()
    .describe("mounted directory in which its first container keeps files that it waits for"),
  keepsData: z
    .boolean()
    .optional()
    .describe(
      "each replica keeps data of its own, so that another one splits it; default: StatefulSets, those with a claim, those with the image of a known store, and those that are called as stores and brokers are",
    ),
  operated: z
    .strictObject({
      by: z.string().describe("workload that runs the operator"),
      kind: z.string().describe("kind of the custom resource"),
      name: z.string(),
      part: z.string().startsWith("/").describe("where the workload is in it, as a JSON pointer"),
    })
    .optional()
    .describe("the operator of the system that makes it, and the custom resource that says what it is to be"),
});
export type WorkloadModel = z.infer<typeof WorkloadModel>;

/** What manifests do not say of a Job or a CronJob. A real cluster never sees this. */
export const JobModel = z.strictObject({
  containers: z
    .record(z.string(), Behaviour)
    .default({})
    .describe(
      "container or init container -> how its program behaves, which ends; without it, it does what its command says",
    ),
  calls: z
    .array(CallSpec)
    .default([])
    .describe("what its first container asks of workloads: a run is its one request"),
});
export type JobModel = z.infer<typeof JobModel>;

/** What the manifests of a system do not say. This is the format of `model.yaml`. */
export const Model = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/, "small letters, digits and dashes, as the folder's name has"),
  description: z.string(),
  source: z.string().describe("where the system and its numbers come from"),
  namespace: z.string().optional().describe("default namespace; default: the name"),
  targets: z
    .array(z.string())
    .min(1)
    .optional()
    .describe("workloads that a fault may be drawn for; default: every Deployment and StatefulSet"),
  workloads: z.record(z.string(), WorkloadModel).default({}),
  jobs: z
    .record(z.string(), JobModel)
    .default({})
    .describe("Job or CronJob -> what its manifest does not say"),
});
export type Model = z.infer<typeof Model>;
