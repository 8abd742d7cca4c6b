import { expect, test } from "vitest";
import { compileCorefile } from "./compile-corefile.ts";

/** What a Corefile with these lines in its only block answers to names. */
function answersOf(lines: string, ...names: readonly string[]) {
  const rules = compileCorefile(`.:53 {\n${lines}\n}\n`);
  const askCluster = (name: string) => (name === "cart.shop.svc.cluster.local" ? ["10.96.0.7"] : []);
  return names.map((name) => rules.answer(name, askCluster)[0]);
}
const cluster = "kubernetes cluster.local in-addr.arpa {\n fallthrough in-addr.arpa\n}\nforward . 1.1.1.1";
const cart = "cart.shop.svc.cluster.local";

test("names of the cluster are those of its Services", () => {
  expect(answersOf(cluster, cart, "cart.shop.svc.other", "cart")).toEqual([
    "10.96.0.7",
    undefined,
    undefined,
  ]);
  expect(answersOf("forward . 1.1.1.1", cart)).toEqual([undefined]);
  const other = answersOf("kubernetes old.local", cart, "cart.shop.svc.old.local");
  expect(other).toEqual([undefined, "10.96.0.7"]);
  const only = (namespaces: string) =>
    answersOf(`kubernetes cluster.local {\n namespaces ${namespaces}\n}`, cart);
  expect([only("shop bank"), only("bank")]).toEqual([["10.96.0.7"], [undefined]]);
});

test.each([
  [
    "template IN A {\n match ^cart\\.shop\\.svc\\.cluster\\.local\\.$\n rcode NXDOMAIN\n fallthrough\n}",
    undefined,
  ],
  ["template IN A shop.svc.cluster.local {\n rcode NXDOMAIN\n}", undefined],
  // What a pattern does not match, and does not fall through, has no address either.
  ["template ANY ANY {\n match ^other\n}", undefined],
  ["template IN A {\n match ^other\n fallthrough\n}", "10.96.0.7"],
  ["template IN A bank.svc.cluster.local {\n rcode NXDOMAIN\n}", "10.96.0.7"],
  ["template IN AAAA {\n rcode NXDOMAIN\n}", "10.96.0.7"],
  ['template IN A {\n answer "{{ .Name }} 60 IN A 10.0.0.1"\n}', "10.0.0.1"],
  ["rewrite name cart.shop.svc.cluster.local gone.shop.svc.cluster.local", undefined],
  ["rewrite stop name suffix .shop.svc.cluster.local .bank.svc.cluster.local", undefined],
  ["rewrite name regex (.*)\\.bank\\.(.*) {1}.shop.{2}", "10.96.0.7"],
  ["hosts {\n 10.0.0.2 cart.shop.svc.cluster.local\n fallthrough\n}", "10.0.0.2"],
  ["hosts {\n 10.0.0.2 other\n}", undefined],
  ["hosts {\n 10.0.0.2 other\n fallthrough\n}", "10.96.0.7"],
  ["cache 30\nloadbalance\nready\nhealth {\n lameduck 5s\n}", "10.96.0.7"],
])("%s", (lines, address) => {
  // The order in the file is not the order in which plugins are asked.
  expect(answersOf(`${lines}\n${cluster}`, cart)).toEqual([address]);
  expect(answersOf(`${cluster}\n${lines}`, cart)).toEqual([address]);
});

test("the longest zone has a name", () => {
  const stub = "shop.svc.cluster.local:53 {\n forward . 10.0.0.9\n}\n";
  const rules = compileCorefile(`.:53 {\n${cluster}\n}\n${stub}`);
  const known = () => ["10.96.0.7"];
  expect(rules.answer(cart, known)).toEqual([]);
  expect(rules.answer("cart.bank.svc.cluster.local", known)).toEqual(["10.96.0.7"]);
});

test.each([
  [
    "kuberntes cluster.local",
    "/etc/coredns/Corefile:2 - Error during parsing: Unknown directive 'kuberntes'",
  ],
  ["autopath @kubernetes", "Unknown directive 'autopath'"],
  ["kubernetes cluster.local {\n nodes all\n}", "unknown property 'nodes'"],
  ["template IN", "Wrong argument count"],
  ["rewrite ttl a b", "only names can be rewritten here"],
  ["template IN A {\n match (\n}", "error parsing regexp: missing closing )"],
  ["reload soon", "invalid duration"],
])("with %j it does not start", (lines, why) => {
  expect(() => compileCorefile(`.:53 {\n${lines}\n}\n`)).toThrow(why);
});

test("says how often the file is read again", () => {
  const of = (line: string) => compileCorefile(`.:53 {\n${line}\n}\n`).reloadMs;
  expect([of("reload"), of("reload 10s 5s"), of("errors")]).toEqual([30_000, 10_000, undefined]);
});
