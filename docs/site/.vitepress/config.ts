import { defineConfig } from "vitepress";

const page = (text: string, path: string) => ({ text, link: `/${path}` });

export default defineConfig({
  title: "MicroRemed",
  description: "A test range for AI agents that operate microservice systems",
  // Copies of the repository's pages, at the same paths: scripts/docs/build-site.ts.
  srcDir: "pages",
  // A folder's page is its README.
  rewrites: (path) => path.replace(/(^|\/)README\.md$/, "$1index.md"),
  ignoreDeadLinks: false,
  lastUpdated: false,
  markdown: {
    config(markdown) {
      // Pages are Markdown alone: `{{ }}` is text, here as on GitHub, and not an expression of Vue.
      for (const rule of ["text", "code_inline"] as const) {
        const render = markdown.renderer.rules[rule];
        markdown.renderer.rules[rule] = (...given) =>
          (render?.(...given) ?? "").replaceAll("{{", "&#123;&#123;");
      }
    },
  },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      page("Documentation", "docs/"),
      page("Reference", "docs/reference/cli"),
      page("Contributing", "CONTRIBUTING"),
      page("Changelog", "CHANGELOG"),
    ],
    sidebar: [
      {
        text: "Do",
        items: [
          page("First model", "docs/first-model"),
          page("First cluster", "docs/first-cluster"),
          page("Your own agent", "docs/own-agent"),
          page("Your own system", "docs/own-system"),
          page("Your own fault", "docs/own-fault"),
          page("Training data", "docs/training-data"),
        ],
      },
      {
        text: "Operate",
        items: [
          page("Operations", "docs/operations"),
          page("On Kubernetes", "docs/kubernetes"),
          page("Observability", "docs/observability"),
          page("Security", "docs/security"),
        ],
      },
      {
        text: "Understand",
        items: [
          page("How it works", "docs/how-it-works"),
          page("Scoring", "docs/scoring"),
          page("Statistics", "docs/statistics"),
          page("Models", "docs/models"),
          page("Your own entries", "docs/catalogue"),
          page("Embedded cluster: physics", "docs/embedded-cluster"),
          page("Embedded cluster: Chaos Mesh", "docs/embedded-cluster-chaos"),
          page("Glossary", "docs/glossary"),
          page("Decisions", "docs/adr/"),
        ],
      },
      {
        text: "Reference",
        items: [
          page("Command line", "docs/reference/cli"),
          page("Catalogue", "docs/reference/catalogue"),
          page("Configuration", "docs/reference/configuration"),
          page("Messages", "docs/reference/messages"),
          page("Error codes", "docs/reference/errors"),
          page("Rights", "docs/reference/permissions"),
        ],
      },
    ],
  },
});
