export { mongoMay, mongoRolesIn, mongoUserOf } from "@microremed/environments";
export { appendLog } from "./append-log.ts";
export { boundTo } from "./bound-to.ts";
export { type ByteQueue, createByteQueue } from "./byte-queue.ts";
export { corednsStartError, nameRulesOf, reloadCoredns } from "./coredns-server.ts";
export type { AskCluster, NameRules } from "./corefile/compile-corefile.ts";
export { createMachine } from "./create-machine.ts";
export { datastoreMark, type StoreClient } from "./datastore-mark.ts";
export { FileTree, lengthOf, longFile } from "./file-tree.ts";
export { type FlagdState, flagdState, flagValue } from "./flagd-server.ts";
export { type HostAlias, kubeletHosts, readHosts, shortName } from "./hosts-file.ts";
export {
  consumed,
  type KafkaLag,
  type KafkaState,
  kafkaState,
  lagsOf,
  moved,
  sent,
  valueAt,
  withoutMembers,
  withoutTopic,
  writeKafka,
  written,
} from "./kafka-server.ts";
export {
  childrenOf,
  fileAt,
  hasLinks,
  isDirectory,
  linkAt,
  linkTargetAt,
  locate,
  mountOf,
  normalized,
  removeAt,
} from "./layers.ts";
export { answers, lookupDelayMs } from "./lookup-delay.ts";
export type {
  Attempted,
  ContainerRuntime,
  HostsFile,
  HttpFault,
  IoFault,
  LogLine,
  Machine,
  Netem,
  Network,
  PacketDrop,
  PodSandbox,
  Process,
} from "./machine.ts";
export {
  type MongoServer,
  type MongoState,
  type MongoTlsMode,
  type MongoUser,
  mongoDigest,
  mongoRefusal,
  mongoServer,
  mongoSettings,
  mongoStartError,
  mongoUser,
  writeMongo,
} from "./mongo-server.ts";
export { type MysqlServer, mysqlServer, setMysqlVariable, writeMysql } from "./mysql-server.ts";
export {
  accountFor,
  accountName,
  allPrivileges,
  databaseError,
  isGranted,
  loginError,
  type MysqlAccount,
  type MysqlError,
  type MysqlGrant,
  type MysqlState,
  nativeHash,
} from "./mysql-state.ts";
export type {
  Exec,
  ExecRequest,
  ExecResult,
  ForwardPort,
  LogOptions,
  Logs,
  MainScript,
  ProxyBackend,
  ProxyReply,
  ProxyRequest,
  RunMainScript,
} from "./node-api.types.ts";
export { availableMemory, nodeMemory, nodeOwn } from "./node-memory.ts";
export { type NodeSpec, nodeSpecs } from "./node-specs.ts";
export { nextPid, type SeenProcess, seenProcesses, wholePod } from "./pid-namespace.ts";
export { type PolicyAnswer, policyServerStartError, reviewBy } from "./policy-server.ts";
export {
  exclusiveHolder,
  lockModes,
  type PostgresLock,
  type PostgresMemory,
  type PostgresSession,
  postgresMemory,
  postgresState,
  writePostgres,
} from "./postgres-server.ts";
export {
  hasPrivilege,
  type PostgresLogin,
  type PostgresRole,
  type PostgresState,
  postgresLoginError,
  runDefinition,
  tableName,
} from "./postgres-state.ts";
export { entryPointOf, exitCodeOnTerm, type Program, programOf, sleepSeconds } from "./program.ts";
export {
  appendCommand,
  blankRedisUser,
  bytesOf,
  isAppendStuck,
  type RedisState,
  type RedisUser,
  redisLoginError,
  redisState,
  redisWriteError,
  saveRedis,
  sha256,
  usedMemory,
  withPassword,
  withRedisRule,
} from "./redis-server.ts";
export {
  chaosDns,
  clusterDns,
  clusterResolver,
  type DnsSpec,
  nodeDns,
  type ResolverConfig,
  resolvConf,
  resolverOf,
} from "./resolv-conf.ts";
export { type SqlText, statementsIn } from "./sql-statements.ts";
export { createTerminal, type Terminal } from "./terminal.ts";
export { killToda, todaOwner, unmountToda } from "./toda.ts";
export { isBareImage, isInterpreter, lacksInterpreter, programsOfImage, toolboxOf } from "./tools.ts";
