import { expect, test } from "vitest";
import { comparePaths, declaredItems, reachesField, stepsWithin } from "./compare-paths.ts";
import { asText, compareValues, isValue, partOfValue } from "./compare-values.ts";

const path = "spec.template.spec.containers[name=server].resources.limits";

test.each([
  [path, 1],
  ["/spec/template/spec/containers/0/resources/limits", 1],
  [".spec.template.spec.containers[*].resources.limits", 1],
  [`spec.template.spec.containers[?(@.name=='server')].resources.limits`, 1],
  ["spec.template.spec.containers[name=sidecar].resources.limits", 8 / 14],
  [`${path}.cpu`, 14 / 15],
  ["resources.limits", 0],
  ["containers[0].resources.limits", 8 / 11],
  ["spec", 0],
  ["", 0],
])("the path %j is worth %d", (given, worth) => {
  expect(comparePaths(given, path)).toBeCloseTo(worth);
});

test("no field where no field is wrong", () => {
  expect(comparePaths("", "")).toBe(1);
  expect(comparePaths("spec", "")).toBe(0);
});

test.each([
  ["8080", "8080", 1],
  ["8080", "8081", 0],
  ["0.002", "2m", 1],
  ["1024Mi", "1Gi", 1],
  ["cpu=2m", "cpu 2m, memory 200Mi", 2 / 3],
  ["deleted", "none", 1],
  ["The image is shop:v2.", "image shop:v2", 1],
  ["Cart", "cart", 0],
  ["", "none", 1],
  ["not set", "none", 1],
  ["absent", "no such object", 1],
  ["", "8080", 0],
])("the value %j for %j is worth %d", (given, right, worth) => {
  expect(compareValues(given, right)).toBeCloseTo(worth);
});

const strategy = '{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"100%","maxSurge":0}}';

test.each([
  ["9999", "9999", "8080", true],
  ["the port is 9999", "9999", "8080", true],
  // Both values, the other one, or several guesses.
  ["9999 8080", "9999", "8080", false],
  ["8080", "9999", "8080", false],
  ["9999, 9998", "9999", "8080", false],
  ["shop:v2", "shop:v2", "shop:v1", true],
  ["shop:v1", "shop:v2", "shop:v1", false],
  ["shop", "shop:v2", "shop:v1", false],
  ["v2 of shop", "shop:v2", "shop:v1", true],
  ["cart:81", "cart:81", "cart:80", true],
  ["cart:81 cart:80", "cart:81", "cart:80", false],
  ["Local", "Local", "Cluster", true],
  ["Local or Cluster", "Local", "Cluster", false],
  ["app=web tier=front", "app=web", "app=shop", true],
  ["app=web app=shop", "app=web", "app=shop", false],
  ["cpu 2m", "cpu 2m, memory 200Mi", "cpu 1000m, memory 200Mi", true],
  // What all values of this shape have says nothing of this one.
  ["cpu 2m", "cpu 2m, memory 200Mi", "cpu 1000m, memory none", false],
  ["--requirepass", '["--requirepass","p4CUYjijzJ"]', "none", false],
  ["sh -c exec", '["sh","-c","exec /srv/cart"]', "none", false],
  ["persistentVolumeClaim claimName", '{"persistentVolumeClaim":{"claimName":"cart-logs"}}', "none", false],
  [
    "cart-logs, a claimName of a persistentVolumeClaim",
    '{"persistentVolumeClaim":{"claimName":"cart-logs"}}',
    "none",
    true,
  ],
  [
    "httpGet path port scheme HTTP periodSeconds 1",
    '{"httpGet":{"path":"/up","port":81,"scheme":"HTTP"},"periodSeconds":1}',
    "none",
    false,
  ],
  ["none", "none", "web", true],
  // A value of some fields is a word for none.
  ["None", "None", "ClusterFirst", true],
  ["dnsPolicy: None", "None", "ClusterFirst", true],
  ["absent", "None", "ClusterFirst", false],
  ["Default", "None", "ClusterFirst", false],
  ["None", "none", "web", true],
  ["8 MiB", "8Mi", "2000Mi", true],
  ["8 MB", "8Mi", "2000Mi", false],
  ["zero", "0", "1", true],
  ["one replica", "1", "0", true],
  ["one", "0", "1", false],
  ["two", "0", "1", false],
  ['["sh","-c","exec /srv/cart"]', '["sh","-c","exec /srv/cart"]', "none", true],
  ["exec /srv/cart by sh", '["sh","-c","exec /srv/cart"]', "none", true],
  ['["sh","-c","exec /opt/app/start.sh"]', '["sh","-c","exec /srv/cart"]', "none", false],
  ['[{"name":"a","claimName":"data-logs"}]', '[{"name":"a","claimName":"cart-data"}]', "none", false],
  // A list of guesses has the value, too.
  ["cartservice:7070 8080 9090", "cartservice:7070", "cartservice:7171", false],
  ["cartservice:7070 emailservice", "cartservice:7070", "cartservice:7171", false],
  ["redis:7.0-alpine redis:6.2", "redis:7.0-alpine", "redis:broken", false],
  ["valkey redis:7.0-alpine", "redis:7.0-alpine", "redis:broken", false],
  ["cpu 200m 300m, memory 200Mi 400Mi", "cpu 200m, memory 200Mi", "cpu 2m, memory 20Mi", false],
  // As the running system shows it, with defaults; a name twice is two guesses.
  ['{"image":"web:1","cpu":"1m","at":"/run/log"}', '{"image":"web:1","cpu":"1m"}', "none", true],
  ['{"image":"web:2","image":"web:1","cpu":"1m"}', '{"image":"web:1","cpu":"1m"}', "none", false],
  ["ClusterFirst Default", "ClusterFirst", "None", false],
  ["ClusterFirst or Default", "ClusterFirst", "Default", false],
  ["Default ClusterFirst", "ClusterFirst", "None", false],
  ["web api", "web", "shop", false],
  ["get list watch", '["get","list"]', '["get","list","patch"]', false],
  ["app=web tier=back", "app=web tier=front", "app=shop tier=front", false],
  ["app=web app=front", "app=web", "app=shop", false],
  ["allowTLS: requireTLS", "requireTLS", "disabled", false],
  ["one or two", "1", "0", false],
  // The old value beside the new one, also where it has no word of its own.
  ["get list patch or get list", '["get","list","patch"]', '["get","list"]', false],
  ["8080 or none", "8080", "none", false],
  ["8080 default", "8080", "none", false],
  // A value in a sentence, with its unit, its key or another writing of it.
  ["get, list and patch", '["get","list","patch"]', '["get","list"]', true],
  ["ClusterFirst (the default)", "ClusterFirst", "None", true],
  ["The container uses redis:7.0-alpine.", "redis:7.0-alpine", "redis:broken", true],
  ["CPU 200m, memory 200Mi", "cpu 200m, memory 200Mi", "cpu 2m, memory 20Mi", true],
  ["0.2 cores", "200m", "2m", true],
  ["200m (0.2)", "200m", "2m", true],
  ["209715200 bytes", "200Mi", "20Mi", true],
  ["net:\n  tls:\n    mode: requireTLS", "mode: requireTLS", "mode: disabled", true],
  ["a certificate that expired yesterday", "an expired certificate", "a valid certificate", true],
])("%j is the value %j, not %j: %s", (given, own, other, expected) => {
  expect(isValue(given, own, other)).toBe(expected);
});

test.each([
  ["enforce", "restricted"],
  ["pod-security.kubernetes.io/enforce", "restricted"],
  ["metadata.labels", "restricted"],
])("the field may be named beside a value as %j", (name, value) => {
  const field = "metadata.labels[pod-security.kubernetes.io/enforce]";
  expect(isValue(`${name}=${value}`, value, "none", field)).toBe(true);
  expect(isValue(`${name}=${value} baseline`, value, "none", field)).toBe(false);
});

test("the other value is one, too, where the field's path has it as a word", () => {
  const field = "spec.ports[name=http].targetPort";
  expect(isValue("targetPort 9999 of the port http", "9999", "8080", field)).toBe(true);
  expect(isValue("9999 http", "9999", "http", field)).toBe(false);
});

test.each([
  [path, path, true],
  [`${path}.cpu`, path, true],
  ["spec.template.spec.containers[name=server].resources", path, false],
  ["spec.template.spec.containers[name=server]", path, false],
  ["containers[0].resources.limits", path, true],
  ["spec.strategy.rollingUpdate.maxUnavailable", "spec.strategy", true],
  [
    "spec.template.spec.containers[0].env[name=X]",
    "spec.template.spec.containers[name=a].env[name=X].value",
    true,
  ],
  ["spec.template.spec.containers[0].env", "spec.template.spec.containers[name=a].env[name=X].value", false],
  ["", "", true],
  ["spec.template.spec.containers[name=other].resources.limits", path, false],
  ["spec.template.spec.initContainers[0].resources.limits", path, false],
  ["spec.template.spec.containers[0].resources.requests", path, false],
  ["spec.template.spec.containers[0].resources.requests.cpu", `${path}.cpu`, false],
  ["spec.ports.targetPort", "spec.ports[name=http].targetPort", true],
  ["spec.ports[0].nodePort", "spec.ports[name=http].targetPort", false],
])("the path %j reaches the field %s: %s", (given, right, expected) => {
  expect(reachesField(given, right)).toBe(expected);
});

test.each([
  [strategy, ["rollingUpdate", "maxUnavailable"], "100%"],
  [strategy, ["rollingUpdate", "partition"], "none"],
  [strategy, [], strategy],
  ["cpu 2m, memory 200Mi", ["cpu"], "2m"],
  ['[{"name":"a","port":1},{"name":"b","port":2}]', ["[b]", "port"], "2"],
  ["shop:v2", ["tag"], "shop:v2"],
])("%s has at %j the value %j", (value, steps, expected) => {
  expect(partOfValue(value, steps)).toBe(expected);
});

const ofPort = "spec.ports[name=http].targetPort";
const twoPorts = {
  spec: {
    ports: [
      { name: "grpc", port: 90 },
      { name: "http", port: 80 },
    ],
  },
};

test.each([
  ["spec.ports[80].targetPort", true],
  ["spec.ports[port=80].targetPort", true],
  ["spec.ports[1].targetPort", true],
  ["spec.ports[90].targetPort", false],
  ["spec.ports[0].targetPort", false],
])("a port is named by its number, too, as the change log does: %j: %s", (given, expected) => {
  expect(reachesField(given, ofPort, declaredItems(twoPorts, ofPort))).toBe(expected);
});

const pod = {
  containers: [{ name: "server", env: [{ name: "A" }, { name: "B" }] }],
};
const ofB = "containers[name=server].env[name=B].value";

test.each([
  ["containers[0].env[1].value", true],
  ["containers.env[name=B].value", true],
  ["containers[].env[1]", true],
  ["containers[0].env[0].value", false],
  ["containers[1].env[1].value", false],
  ["containers[].env[].value", false],
  ["containers[0].env.value", false],
])("of declared items the path %j names the right one: %s", (given, expected) => {
  expect(reachesField(given, ofB, declaredItems(pod, ofB))).toBe(expected);
});

test.each([
  [`${path}.cpu`, path, ["cpu"]],
  ["containers[0].command[2]", "spec.containers[name=a].command", ["[2]"]],
  ["containers[0].command[*]", "spec.containers[name=a].command", ["[]"]],
  [path, path, []],
])("the path %j goes on beyond %s by %j", (given, right, expected) => {
  expect(stepsWithin(given, right)).toEqual(expected);
});

test("an item of a list is that at its place", () => {
  expect(partOfValue('["sh","-c","exec app"]', ["[2]"])).toBe("exec app");
  expect(partOfValue('["sh","-c","exec app"]', ["[]"])).toBe('["sh","-c","exec app"]');
  expect(partOfValue('["sh"]', ["[2]"])).toBe("none");
});

test("a Secret's base64 is its text, and other base64 stays as it is", () => {
  expect(asText(Buffer.from("Ts_1").toString("base64"), ["Ts_1", "Ts_2"])).toBe("Ts_1");
  expect(asText("cGxhaW4=", ["Ts_1"])).toBe("cGxhaW4=");
});
