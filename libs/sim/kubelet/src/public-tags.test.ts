import { testGoldens } from "@microremed/sim-objects/testing";
import { publicBehaviour } from "./public-programs.ts";
import { isPublicTag } from "./public-tags.ts";

interface Case {
  readonly repository: string;
  readonly tag: string;
  readonly command?: readonly string[];
}

testGoldens<readonly Case[]>(import.meta.url, "public-images", (cases) =>
  cases.map(({ repository, tag, command = [] }) => ({
    image: `${repository}:${tag}`,
    exists: isPublicTag(repository, tag),
    listens: publicBehaviour(repository, tag, { command })?.listens ?? [],
  })),
);
