/** `hemgate setup`: the steps of setting up a house, from a file. Each is a call of the API that the page makes, too. */
import { z } from "zod";
import { ClientError, type Schemas } from "../../client/index.ts";
import { parseYamlSource } from "../../config/yaml-source.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/duration.ts";
import { issuesOf } from "../../domain/issue-text.ts";
import { readTextFile } from "../../platform/node/files/text-file.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { type AddParts, add, refusalText } from "./add.ts";

const LOOK_EVERY_MS = 2 * SECOND_MS;
const ANSWER_WITHIN_MS = 2 * MINUTE_MS;
const TESTS = "/local/setup/tests";

const Device = z.strictObject({
  // The same file run again knows by it what is here.
  name: z.string().min(1).max(64),
  host: z.ipv4().optional(),
  brand: z.string().optional(),
  set: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  confirm: z.array(z.string()).default([]),
  confirmNoFailsafe: z.boolean().default(false),
  saveAnyway: z.boolean().default(false),
});

const Person = z.strictObject({ name: z.string(), role: z.string(), password: z.string() });

/** The file; what is absent is not done. The gateway checks the values. */
const SetupFile = z.strictObject({
  site: z.record(z.string(), z.unknown()).optional(),
  devices: z.array(Device).default([]),
  controlTests: z.boolean().default(false),
  people: z.array(Person).default([]),
  leaveOut: z.record(z.string(), z.string()).default({}),
  handOver: z.strictObject({ note: z.string().optional() }).optional(),
});
type SetupFile = z.infer<typeof SetupFile>;

export type SetUpParts = Omit<AddParts, "ask">;

/** Does the steps of the file, and says what was done and what is still open. */
export async function setUp(file: string, parts: SetUpParts, isJson = false): Promise<ExitCode> {
  const requested = await readSetup(file);
  const done: string[] = [];
  await doSteps(requested, isJson ? { ...parts, out: (line) => void done.push(line) } : parts);
  const { steps } = await parts.client.get("/local/setup");
  const open = steps.filter(({ state }) => state === "open").map((each) => each.step);
  if (isJson) parts.out(JSON.stringify({ done, open }));
  else if (open.length > 0) parts.out(`still open: ${open.join(", ")}`);
  return EXIT.ok;
}

/** Does the steps in their order, and ends at the first that is refused. What is here already is left alone. */
async function doSteps(requested: SetupFile, parts: SetUpParts): Promise<void> {
  const { client, out } = parts;
  if (requested.site !== undefined) {
    await step("site", () => client.request("PATCH", "/local/site", { body: requested.site }));
    out("site: limits are set");
  }
  for (const device of requested.devices) await addOne(device, parts);
  if (requested.devices.length > 0) await waitForAnswers(requested.devices, parts);
  if (requested.controlTests) await testAll(parts);
  for (const person of requested.people) await addPerson(person, parts);
  for (const [name, reason] of Object.entries(requested.leaveOut)) {
    const path = `/local/setup/steps/${encodeURIComponent(name)}`;
    await step(`leaveOut.${name}`, () => client.request("PUT", path, { body: { isSkipped: true, reason } }));
    out(`${name}: left out (${reason})`);
  }
  if (requested.handOver !== undefined) {
    const body = { isHandedOver: true, ...requested.handOver };
    await step("handOver", () => client.request("PUT", "/local/setup/hand-over", { body }));
    out("the house is handed over");
  }
}

/** Returns the checked content of the file. Throws with what is wrong and where. */
async function readSetup(file: string): Promise<SetupFile> {
  const parsed = parseYamlSource(await readTextFile(file));
  if (!parsed.ok) {
    const faults = parsed.mistakes.map(({ place, problem }) => {
      return place.kind === "file" ? `${file}:${place.line}: ${problem}` : problem;
    });
    throw new CliError(EXIT.usage, faults.join("\n"));
  }
  const checked = SetupFile.safeParse(parsed.source.value);
  if (checked.success) return checked.data;
  const faults = issuesOf(checked.error).map(({ path, message }) => {
    const { line } = parsed.source.locate(
      path.map((part) => (typeof part === "number" ? part : String(part))),
      "value",
    );
    return `${file}:${line}: ${path.join(".") || "the file"}: ${message}`;
  });
  throw new CliError(EXIT.usage, faults.join("\n"));
}

async function addOne({ name, host, set, ...device }: SetupFile["devices"][number], parts: SetUpParts): Promise<void> {
  const here = await parts.client.get("/local/devices");
  if (here.some((each) => each.name === name)) return parts.out(`${name}: is here already`);
  const settings = Object.entries(set).map(([key, value]) => `${key}=${value}`);
  const { brand, ...decided } = device;
  const options = {
    ...{ ...decided, name, set: settings, hosts: host === undefined ? [] : [host], isSure: true, isJson: false },
    ...(brand !== undefined && { brand }),
  };
  try {
    await add(options, { ...parts, ask: null });
  } catch (error) {
    if (error instanceof CliError) throw new CliError(error.exitCode, `device ${name}: ${error.message}`);
    throw error;
  }
}

/** Waits until the devices of the file answer, two minutes at most; one that is added without an answer is not waited for. */
async function waitForAnswers(devices: SetupFile["devices"], { client, clock, out, stop }: SetUpParts): Promise<void> {
  const names = devices.filter(({ saveAnyway }) => !saveAnyway).map(({ name }) => name);
  let silent: readonly string[] = names;
  for (let waitedMs = 0; silent.length > 0 && waitedMs < ANSWER_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    await clock.sleep(LOOK_EVERY_MS, stop);
    const here = await client.get("/local/devices");
    silent = names.filter((name) => !here.some((each) => each.name === name && each.isReachable));
  }
  if (silent.length > 0) out(`no answer yet: ${silent.join(", ")}`);
}

/** Runs the control test of each device that can be tested now, one after the other. A failed test is an error. */
async function testAll({ client, clock, out, stop }: SetUpParts): Promise<void> {
  const tests = async (): Promise<readonly Schemas["TestableDevice"][]> => await client.get(TESTS);
  for (const { assetId, deviceId, refusal } of await tests()) {
    if (refusal !== null) {
      out(`${deviceId}: not tested: ${refusal.detail}`);
      continue;
    }
    await step(`control test of ${deviceId}`, () => client.request("POST", `${TESTS}/${assetId}`, { body: {} }));
    let last: Schemas["TestableDevice"]["last"] | undefined;
    do {
      await clock.sleep(LOOK_EVERY_MS, stop);
      last = (await tests()).find((each) => each.assetId === assetId)?.last;
    } while (last?.state === "running");
    if (last?.state !== "passed")
      throw new CliError(EXIT.failed, `${deviceId} failed its control test: ${last?.cause ?? "interrupted"}`);
    out(`${deviceId}: passed its control test`);
  }
}

async function addPerson({ name, role, password }: SetupFile["people"][number], parts: SetUpParts): Promise<void> {
  const { client, out } = parts;
  const here = await client.get("/local/people");
  if (here.some((each) => each.name === name)) return out(`${name}: has an account already`);
  const body = { name, role, password };
  await step(`person ${name}`, () => client.request("POST", "/local/people", { body }));
  out(`${name}: is ${role}`);
}

async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ClientError) throw new CliError(EXIT.failed, `${name}: ${refusalText(error)}`);
    throw error;
  }
}
