import { environments, renderManifests } from "@microremed/environments";
import { expect, test } from "vitest";

interface Spec {
  readonly ports?: readonly { readonly nodePort?: number }[];
  readonly template?: {
    readonly spec: {
      readonly hostNetwork?: boolean;
      readonly volumes?: readonly object[];
      readonly containers: readonly { ports?: { hostPort?: number }[] }[];
    };
  };
}

test("every environment can run in several namespaces of one cluster", () => {
  for (const name of environments.names()) {
    const [one, two] = ["a", "b"].map((namespace) => renderManifests(environments.get(name), { namespace }));
    for (const manifest of one ?? []) {
      // A definition is the same for all of them, and stays.
      if (manifest.kind === "CustomResourceDefinition") continue;
      expect(manifest.metadata.namespace, `${name}: ${manifest.kind} is the cluster's`).toBe("a");
      const { ports = [], template } = (manifest["spec"] ?? {}) as Spec;
      expect(ports.some(({ nodePort }) => nodePort !== undefined)).toBe(false);
      const pod = template?.spec;
      expect(pod?.hostNetwork ?? false).toBe(false);
      expect((pod?.volumes ?? []).some((volume) => "hostPath" in volume)).toBe(false);
      for (const { ports: own = [] } of pod?.containers ?? [])
        expect(own.some(({ hostPort }) => hostPort !== undefined)).toBe(false);
    }
    const elsewhere = JSON.stringify(one).replaceAll('"namespace":"a"', '"namespace":"b"');
    expect(JSON.parse(elsewhere), name).toEqual(JSON.parse(JSON.stringify(two)));
  }
});
