import { join } from "node:path";
import { buildPrograms } from "./build-programs.ts";
import { type DebianImage, debianImage, type StoredImage } from "./debian-image.ts";
import { pins } from "./pins.ts";

/** The image that holds a pod's namespaces. */
export const pauseImage = "registry.k8s.io/pause:3.10";

/** Holds a pod's namespaces: catatonit does what Kubernetes' own pause does. */
const pause = (name: string): DebianImage => ({
  name,
  packages: ["catatonit"],
  links: { pause: "usr/bin/catatonit" },
  entrypoint: ["/pause", "-P"],
});

const applets =
  "awk base64 basename cat chmod chown cp cut date dd df dirname du echo env expr false find free grep gunzip gzip head hostname httpd id ip kill killall ln ls md5sum mkdir mkfifo mktemp more mount mv nc netstat nslookup od pgrep ping pkill printf ps pwd readlink realpath rm rmdir sed seq sh sha256sum sleep sort stat stty sync tail tar tee telnet test time timeout top touch tr true tty umount uname uniq uptime vi wc wget which whoami xargs yes".split(
    " ",
  );

/** Debian's wget of busybox crashes at -T. */
const wgetWithTimeout = `#!/bin/sh
limit=900
left=$#
while [ $left -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  case $word in
    -T) limit=$1; shift; left=$((left - 1)) ;;
    *) set -- "$@" "$word" ;;
  esac
done
timeout "$limit" busybox wget "$@"
code=$?
[ $code -eq 143 ] || exit $code
echo "wget: download timed out" >&2
exit 1
`;

/** Debian's busybox that is not linked statically, which resolves names. It has no printenv, and its nc no -z. */
const busybox = (name: string): DebianImage => ({
  name,
  packages: ["busybox", "netcat-openbsd"],
  links: {
    ...Object.fromEntries(applets.map((applet) => [`usr/bin/${applet}`, "busybox"])),
    "usr/bin/nc": "nc.openbsd",
  },
  texts: {
    "usr/local/bin/wget": wgetWithTimeout,
    "usr/bin/printenv": '#!/bin/sh\n[ $# -eq 0 ] && exec env\nenv | grep "^$1=" | cut -d = -f 2-\n',
  },
  command: ["sh"],
});

const nginxSettings = `user nobody nogroup;
error_log /dev/stderr notice;
pid /run/nginx.pid;
events {}
http {
  include /etc/nginx/mime.types;
  access_log /dev/stdout;
  include /etc/nginx/conf.d/*.conf;
}
`;
const nginxServer = `server {
  listen 80;
  location / { root /usr/share/nginx/html; }
}
`;

/** With the settings of nginx's own image: Debian's write logs to files and take a user that a script would make. */
const nginx = (name: string): DebianImage => ({
  name,
  packages: ["nginx-light", "busybox"],
  links: Object.fromEntries(applets.map((applet) => [`usr/bin/${applet}`, "busybox"])),
  texts: { "etc/nginx/nginx.conf": nginxSettings, "etc/nginx/conf.d/default.conf": nginxServer },
  command: ["nginx", "-g", "daemon off;"],
});

/** A program that is all that its image has. */
export function goImage(name: string, folder: string, program: string): DebianImage {
  return {
    name,
    packages: [],
    files: { [program]: join(folder, program) },
    entrypoint: [`/${program}`],
  };
}

/** The images of the cluster's own parts, and those that the conformance cases name, `pauseImage` among them. */
export async function baseImages(say: (line: string) => void): Promise<StoredImage[]> {
  const built = (name: keyof typeof pins): Promise<string> => buildPrograms({ name, ...pins[name] }, say);
  const library = (name: string): string => `docker.io/library/${name}`;
  const wanted = [
    pause(pauseImage),
    pause("registry.k8s.io/pause:3.9"),
    ...["latest", "1.35", "1.36", "1.37"].map((tag) => busybox(library(`busybox:${tag}`))),
    ...["latest", "1.27"].map((tag) => nginx(library(`nginx:${tag}`))),
    goImage("registry.k8s.io/coredns/coredns:v1.11.3", await built("coredns"), "coredns"),
    goImage(
      "registry.k8s.io/metrics-server/metrics-server:v0.7.2",
      await built("metrics-server"),
      "metrics-server",
    ),
    goImage(
      "docker.io/rancher/local-path-provisioner:v0.0.30",
      await built("local-path-provisioner"),
      "local-path-provisioner",
    ),
  ];
  const images: StoredImage[] = [];
  for (const image of wanted) {
    say(`image ${image.name}`);
    images.push(await debianImage(image));
  }
  return images;
}
