import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { k8sRoot } from "../places.ts";
import { type ImageName, imageDefaults, images, readDockerfile } from "./images.ts";
import { parseDockerfile } from "./parse-dockerfile.ts";

const names = Object.keys(images) as ImageName[];

test("every stage starts from a base that a build pins by digest, and no ARG has one of its own", () => {
  for (const name of names) {
    const { globals, stages } = readDockerfile(name);
    expect(globals, name).toEqual(["NODE", "DEBIAN"]);
    for (const { base } of stages) expect(base, name).toMatch(/^\$\{(NODE|DEBIAN)\}$/);
  }
  const pins = readFileSync(join(k8sRoot, "images/pins.env"), "utf8");
  const digests = [...pins.matchAll(/^(?:NODE|DEBIAN)_DIGEST=(.*)$/gm)].map(([, digest]) => digest);
  expect(digests).toHaveLength(2);
  for (const digest of digests) expect(digest).toMatch(/^(sha256:[0-9a-f]{64})?$/);
});

test("images start without root, where their manifests expect the programs", () => {
  for (const name of names)
    expect(imageDefaults(name)).toMatchObject({ user: "10001:10001", workingDir: "/app" });
});

test("a Dockerfile is read whole: continued lines, stages, and nothing unknown", () => {
  const text = `# comment
ARG BASE
FROM \${BASE} AS build
RUN one \\
 && two
COPY --from=other /a /b ./
CMD ["x", "y"]
`;
  const { globals, stages } = parseDockerfile(text, "f");
  expect(globals).toEqual(["BASE"]);
  expect(stages).toEqual([
    {
      name: "build",
      base: expect.stringMatching(/^\$\{BASE\}$/),
      instructions: [
        { kind: "RUN", script: "one  && two" },
        { kind: "COPY", from: "other", sources: ["/a", "/b"], target: "./" },
        { kind: "CMD", argv: ["x", "y"] },
      ],
    },
  ]);
  expect(() => parseDockerfile("FROM x\nVOLUME /data\n", "f")).toThrow("VOLUME");
});
