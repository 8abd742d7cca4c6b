/** A container that waits for a Service, with all that the API server adds. `name`: of the container. */
export const waitingContainer = (name: string, service: string) => ({
  name,
  image: "busybox:1.35",
  imagePullPolicy: "IfNotPresent",
  command: ["sh", "-c", `until nslookup ${service}; do echo waiting for ${service}; sleep 2; done`],
  resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { cpu: "50m", memory: "64Mi" } },
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
});

/** A probe with all that the API server adds. `handler`: what it asks, such as `tcpSocket`. */
export const wholeProbe = (
  handler: object,
  { periodSeconds, failureThreshold }: Readonly<Record<"periodSeconds" | "failureThreshold", number>>,
) => ({ ...handler, periodSeconds, timeoutSeconds: 1, successThreshold: 1, failureThreshold });
