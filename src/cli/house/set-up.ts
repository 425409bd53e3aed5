/** `hemgate setup`: sets a house up from a file. The gateway does the steps, as for the page; this shows them. */
import { type Client, ClientError, type Schemas } from "../../client/index.ts";
import { SECOND_MS } from "../../domain/duration.ts";
import { readTextFile } from "../../platform/node/files/text-file.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { refusalText } from "./add.ts";

const LOOK_EVERY_MS = 2 * SECOND_MS;
const URL = "/local/setup/import";

type Step = Schemas["SetupImportStep"];
type Task = Schemas["SetupImportTask"];

export interface SetUpParts extends Pick<CliContext, "out" | "err" | "stop"> {
  readonly client: Client;
  readonly clock: Pick<Clock, "sleep">;
}

/** Imports the file, and says what was done and what is still open. */
export async function setUp(file: string, parts: SetUpParts, isJson = false): Promise<ExitCode> {
  const { client, out } = parts;
  const body = { text: await readTextFile(file) };
  const done: string[] = [];
  const say = isJson ? (line: string) => void done.push(line) : out;
  try {
    const { mistakes } = await client.post(`${URL}/preview`, { body });
    const faults = mistakes.map(
      ({ line, path, message }) => `${file}:${line}: ${path.join(".") || "the file"}: ${message}`,
    );
    if (faults.length > 0) throw new CliError(EXIT.usage, faults.join("\n"));
    const task = await followed(await client.post(URL, { body }), say, parts);
    const failed = task.steps.find(({ failure }) => failure !== null);
    if (failed !== undefined) throw new CliError(EXIT.failed, failureText(failed));
    if (task.state !== "done")
      throw new CliError(EXIT.failed, `the import was ${task.state}; what was done stays done`);
  } catch (error) {
    throw error instanceof ClientError ? new CliError(EXIT.failed, refusalText(error)) : error;
  }
  const { steps } = await client.get("/local/setup");
  const open = steps.filter(({ state }) => state === "open").map((each) => each.step);
  if (isJson) out(JSON.stringify({ done, open }));
  else if (open.length > 0) out(`still open: ${open.join(", ")}`);
  return EXIT.ok;
}

/** Says each step as it ends, until the import does. */
async function followed(begun: Task, say: (line: string) => void, { client, clock, stop }: SetUpParts): Promise<Task> {
  let task = begun;
  let said = 0;
  for (;;) {
    for (; said < task.steps.length; said += 1) {
      const step = task.steps[said];
      if (step === undefined || step.state === "open" || step.state === "running") break;
      for (const line of linesOf(step)) say(line);
    }
    if (task.state !== "running") return task;
    await clock.sleep(LOOK_EVERY_MS, stop);
    task = (await client.get(URL)).task ?? task;
  }
}

function linesOf({ kind, name, values, state, results }: Step): readonly string[] {
  const details = results.map((each) => resultText(each));
  if (state === "failed") return details;
  switch (kind) {
    case "site":
      return ["site: limits are set"];
    case "device":
      return state === "unchanged" ? [`${name}: is here already`] : details.map((detail) => `${name}: ${detail}`);
    case "answers":
    case "control-tests":
      return details;
    case "person":
      return [state === "unchanged" ? `${name}: has an account already` : `${name}: is ${values["role"]}`];
    case "leave-out":
      return [`${name}: left out (${values["reason"]})`];
    case "hand-over":
      return ["the house is handed over"];
    default:
      return kind satisfies never;
  }
}

function resultText({ name, outcome, reason, detail }: Step["results"][number]): string {
  switch (outcome) {
    case "added":
      return `added ${name}${detail === null ? "" : `: ${detail}`}`;
    case "passed":
      return `${name}: passed its control test`;
    case "failed":
      return `${name}: failed its control test: ${reason ?? "interrupted"}`;
    case "not-tested":
      return `${name}: not tested: ${detail ?? reason}`;
    case "silent":
      return `no answer yet: ${name}`;
    default:
      return outcome satisfies never;
  }
}

function failureText({ kind, name, failure }: Step): string {
  const place =
    kind === "device" || kind === "person" ? `${kind} ${name}` : kind === "leave-out" ? `leaveOut.${name}` : kind;
  const faults = (failure?.issues ?? []).map(({ path, message }) => `  ${path.join(".")}: ${message}`);
  return [`${place}: ${failure?.detail ?? ""}`, ...faults].join("\n");
}
