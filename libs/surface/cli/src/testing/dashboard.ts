import { z } from "zod";

/** As much of Grafana's dashboard format (schema version 39) as ours uses, and nothing beside it. */
const Datasource = z.strictObject({ type: z.literal("prometheus"), uid: z.string() });
const GridPos = z.strictObject({
  h: z.int().min(1),
  w: z.int().min(1).max(24),
  x: z.int().min(0).max(23),
  y: z.int().min(0),
});

const Step = z.strictObject({ color: z.string(), value: z.number().nullable() });
const FieldConfig = z.strictObject({
  defaults: z.strictObject({
    unit: z.string().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    decimals: z.int().optional(),
    noValue: z.string().optional(),
    color: z.strictObject({ mode: z.string() }).optional(),
    mappings: z.array(z.unknown()).optional(),
    thresholds: z
      .strictObject({ mode: z.enum(["absolute", "percentage"]), steps: z.array(Step).min(1) })
      .optional(),
    custom: z.record(z.string(), z.unknown()).optional(),
  }),
  overrides: z.array(z.unknown()),
});

const Target = z.strictObject({
  refId: z.string().regex(/^[A-Z]$/),
  datasource: Datasource,
  expr: z.string().min(1),
  legendFormat: z.string(),
});

const common = { id: z.int().min(1), title: z.string().min(1), gridPos: GridPos };
const Row = z.strictObject({
  ...common,
  type: z.literal("row"),
  collapsed: z.literal(false),
  panels: z.array(z.never()),
});
const Panel = z.strictObject({
  ...common,
  type: z.enum(["stat", "timeseries"]),
  description: z.string().optional(),
  datasource: Datasource,
  fieldConfig: FieldConfig,
  options: z.record(z.string(), z.unknown()),
  targets: z.array(Target).min(1),
});
export type Panel = z.infer<typeof Panel>;

export const Dashboard = z.object({
  uid: z.string().regex(/^[A-Za-z0-9_-]{1,40}$/),
  title: z.string().min(1),
  schemaVersion: z.literal(39),
  panels: z.array(z.discriminatedUnion("type", [Row, Panel])),
  templating: z.strictObject({
    list: z.array(z.looseObject({ name: z.string(), type: z.enum(["datasource", "query"]) })),
  }),
  time: z.strictObject({ from: z.string(), to: z.string() }),
});
export type Dashboard = z.infer<typeof Dashboard>;

/** What Grafana would show wrongly without a word: panels that overlap or share an id, variables that do not exist. */
export function mistakesIn({ panels, templating }: Dashboard): string[] {
  const variables = new Set(templating.list.map(({ name }) => name));
  const builtIn = new Set(["__range", "__rate_interval", "__interval"]);
  const twice = panels.filter(({ id }, i) => panels.findIndex((one) => one.id === id) !== i);
  const overlapping = panels.flatMap((one, i) =>
    panels.slice(i + 1).flatMap((other) => (overlap(one.gridPos, other.gridPos) ? [[one, other]] : [])),
  );
  const outside = panels.filter(({ gridPos: { x, w } }) => x + w > 24);
  const named = [...JSON.stringify(panels).matchAll(/\$\{?(\w+)\}?/g)].map(([, name = ""]) => name);
  return [
    ...twice.map(({ id, title }) => `${title}: id ${id} is another panel's too`),
    ...overlapping.map(([one, other]) => `${one?.title} overlaps ${other?.title}`),
    ...outside.map(({ title }) => `${title} is wider than the page`),
    ...named
      .filter((name) => !variables.has(name) && !builtIn.has(name))
      .map((name) => `no variable ${name}`),
  ];
}

type Place = z.infer<typeof GridPos>;
function overlap(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
