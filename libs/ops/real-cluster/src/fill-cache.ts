import { buildKubernetes } from "./build-kubernetes.ts";
import { buildPrograms } from "./build-programs.ts";
import { baseImages } from "./images.ts";
import { ownImages } from "./own-images.ts";
import { kubernetesVersions, pins } from "./pins.ts";
import { productImages } from "./product-images.ts";

/**
 * Builds what the tests on real clusters need and what is not in the cache: the programs of all versions and all images. Takes
 * what `whyImpossible(["buildah", "debootstrap"])` asks for.
 */
export async function fillCache(say: (line: string) => void): Promise<void> {
  for (const version of kubernetesVersions) await buildKubernetes(version, say);
  await buildPrograms({ name: "etcd", ...pins.etcd }, say);
  await baseImages(say);
  await productImages(say);
  await ownImages(say);
}
