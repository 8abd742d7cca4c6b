import type { Command } from "../container/command.types.ts";

/** `grpc_health_probe`: costs CPU in the container's own cgroup, like the kubelet's exec probe. */
export const grpcHealthProbe: Command = async (context) => {
  const { deps, container, sandbox, signal, name, args } = context;
  const address = /-addr=(\S+)/.exec(args.join(" "))?.[1] ?? ":0";
  const attempted = deps.network.execProbe(container, sandbox, [name, ...args], 10_000);
  await deps.loop.sleep(attempted.elapsedMs, signal);
  if (attempted.ok) {
    context.out("status: SERVING\n");
    return 0;
  }
  context.err(`timeout: failed to connect service "${address}" within 1s\n`);
  return 2;
};
