import { expect, test } from "vitest";
import { corefileWithout, parseCorefile } from "./corefile.ts";

const plain = `.:53 {
    errors
    kubernetes cluster.local {
       ttl 30 # seconds
    }
    forward . /etc/resolv.conf
}
`;

test("reads zones, directives, blocks, quoted words and comments", () => {
  const text = `shop.svc.Cluster.Local.:53, dns://b:1053 {\n  template IN A {\n    answer "{{ .Name }} 60 IN A 10.0.0.1"\n  }\n}\n${plain}`;
  const [first, second] = parseCorefile(text);
  expect(first?.zones).toEqual(["shop.svc.cluster.local", "b"]);
  expect(first?.directives).toMatchObject([
    {
      name: "template",
      args: ["IN", "A"],
      block: [["answer", "{{ .Name }} 60 IN A 10.0.0.1"]],
      from: 1,
      to: 4,
    },
  ]);
  expect(second?.zones).toEqual([""]);
  expect(second?.directives.map(({ name }) => name)).toEqual(["errors", "kubernetes", "forward"]);
  expect(second?.directives[1]?.block).toEqual([["ttl", "30"]]);
});

test.each([
  [".:53 {\n errors\n", /:1 - Error during parsing: Unexpected EOF/],
  [".:53 {\n template IN A {\n}\n", /:1 - /],
  ["errors\n", /:1 - Error during parsing: a server block is to be/],
])("%j cannot be read", (text, why) => {
  expect(() => parseCorefile(text)).toThrow(why);
});

test("leaves out what names a namespace, and nothing else", () => {
  const rule =
    "    template IN A {\n       match ^cart\\.shop\\.svc\\.cluster\\.local\\.$\n       rcode NXDOMAIN\n    }\n";
  const block = "shop.svc.cluster.local:53 {\n    forward . 10.0.0.9\n}\n";
  const changed = `${block}${plain.replace("    kubernetes", `${rule}    kubernetes`)}`;
  expect(corefileWithout(changed, "shop")).toBe(plain);
  for (const other of ["hop", "my-shop", "shopping"]) expect(corefileWithout(changed, other)).toBe(changed);
  expect(corefileWithout("shop.svc {", "shop")).toBe("shop.svc {");
});
