import { originOf, parseImageName } from "./image-name.ts";

const page = (title: string, text: string): Uint8Array =>
  new TextEncoder().encode(
    `<!DOCTYPE html>\n<html>\n<head>\n<title>${title}</title>\n</head>\n<body>\n<h1>${title}</h1>\n<p>${text}</p>\n</body>\n</html>\n`,
  );

/** What nginx serves, as its image has it. */
const nginx: readonly (readonly [string, Uint8Array])[] = [
  [
    "/usr/share/nginx/html/index.html",
    page(
      "Welcome to nginx!",
      "If you see this page, the nginx web server is successfully installed and working.",
    ),
  ],
  [
    "/usr/share/nginx/html/50x.html",
    page("An error occurred.", "Sorry, the page you are looking for is currently unavailable."),
  ],
];

const byRepository: Readonly<Record<string, typeof nginx>> = {
  "docker.io/library/nginx": nginx,
  "docker.io/nginxinc/nginx-unprivileged": nginx,
};

/** Files that scripts expect in a container's own layer: path -> content. Of other images none is known. */
export const filesOfImage = (image: string): typeof nginx =>
  byRepository[originOf(parseImageName(image).repository)] ?? [];
