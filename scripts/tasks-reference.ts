import { type AuditedIncident, type Task, z } from "@microremed/catalogue";
import { createRng } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { plainToMarkdown } from "./plain-to-markdown.ts";
import { table } from "./table.ts";

/** The incident of the examples. */
const shown = { fault: "service-target-port", environment: "social-network", target: "user-service" };

/** An answer to a task that is right, as the arguments of `submit`. */
export interface TaskExample {
  readonly task: Task;
  readonly when: string;
  readonly incident: AuditedIncident;
  readonly answer: unknown;
}

/** Of every task that takes an answer: what is right in the incident of the examples, and where nothing is wrong. */
export async function taskExamples(): Promise<readonly TaskExample[]> {
  const { tasks, faults, environments } = await builtInCatalogue();
  const environment = environments.get(shown.environment);
  const truth = faults.get(shown.fault).truth({ environment, target: shown.target });
  const incidents = [
    { when: "this fault is there", incident: { truths: [truth], environment } },
    { when: "nothing is wrong", incident: { truths: [], environment } },
  ];
  return tasks.all().flatMap((task) => {
    const oracle = task.known?.find(({ name }) => name === "oracle");
    if (!oracle) return [];
    return incidents.map(({ when, incident }) => {
      return { task, when, incident, answer: oracle.answer(incident, createRng(1, task.name)) };
    });
  });
}

/** Every task with what it asks, the fields of its answer, and examples of `submit`: docs/reference/tasks.md. */
export async function tasksReference(): Promise<string> {
  const { tasks, faults } = await builtInCatalogue();
  const examples = await taskExamples();
  const intro = [
    "# Tasks",
    "Made from the tasks' schemas by `npm run docs:generate`.",
    `The examples are right answers where \`${shown.target}\` of \`${shown.environment}\` has the fault \`${shown.fault}\` (${faults.get(shown.fault).title}), and where nothing is wrong. They are the arguments of the tool \`submit\`; code of [an agent without a model](../own-agent.md#an-agent-without-a-model) passes them to \`submit(answer)\`. [How an episode is scored](../scoring.md#tasks) says how answers are graded.`,
  ];
  const sections = tasks
    .all()
    .flatMap((task) => [
      `## ${task.name}`,
      `${task.title}.`,
      ...howItEnds(task),
      ...fieldsOf(task),
      ...examples
        .filter((example) => example.task === task && !task.parts)
        .map(
          ({ when, answer }) => `Where ${when}:\n\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\``,
        ),
    ]);
  return `${[...intro, ...sections].join("\n\n")}\n`;
}

const link = (task: string): string => `[${task}](#${task})`;

function howItEnds({ parts, watch, answer, mayAct }: Task): string[] {
  if (watch)
    return [
      `At the end of each window of the watch the answer is that of ${(parts ?? []).map(link).join(", ")}. The watch ends with the first alarm, or with its last window.`,
    ];
  if (parts)
    return [
      `The parts are asked in turn, each in its own turn with its own answer: ${parts.map(link).join(", ")}. The answer to one is final before the next is asked.`,
    ];
  return answer === null && mayAct
    ? [
        'There is no answer: the system is measured. Change it with an action, such as `exec_shell` with `{"command": "kubectl rollout undo deployment/cart"}`, or with a playbook (`print_playbook`), which ends the turn. After actions, `submit` with `{}` says that the agent is done.',
      ]
    : [];
}

interface Field {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
}

function fieldsOf({ answer, parts }: Task): string[] {
  if (answer === null || parts) return [];
  const rows = rowsOf("", z.toJSONSchema(answer, { io: "input" }) as Field);
  return [table(["field", "type", "what"], rows)];
}

/** `causes[].object.kind`, each field of the answer. */
function rowsOf(path: string, { properties = {}, items }: Field): string[][] {
  const inside = items ? rowsOf(`${path}[]`, items) : [];
  return [
    ...inside,
    ...Object.entries(properties).flatMap(([name, field]) => {
      const place = path === "" ? name : `${path}.${name}`;
      const type = field.enum?.map((one) => `\`${one}\``).join(", ") ?? field.type ?? "any";
      return [[`\`${place}\``, type, plainToMarkdown(field.description ?? "")], ...rowsOf(place, field)];
    }),
  ];
}
