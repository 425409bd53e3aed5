/** The steps of importing a setup file: what each says before it is done, and what it does. */
import type { AdoptBody, FoundOnNetwork, FoundSetup } from "../../domain/discovery/discovery.ts";
import { adoptBodyOf, foundName, isOfBrand, whyNoneFits } from "../../domain/discovery/found-choice.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/duration.ts";
import { nameKey } from "../../domain/people/account.ts";
import { ProblemError, problem } from "../../domain/problem.ts";
import type { SetupFile, SetupFileDevice } from "../../domain/setup/setup-file.ts";
import type { SetupImportFailure, SetupImportResult, SetupImportStep } from "../../domain/setup/setup-import.ts";
import type { SkippableStep } from "../../domain/setup/setup-steps.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import type { Discovery } from "../contracts/discovery.ts";
import type { SiteChange, SiteConnections } from "../contracts/energy/energy.ts";
import type { DeviceStatus } from "../contracts/engine.ts";
import type { People } from "../contracts/people.ts";
import type { Setup, SetupActor } from "../contracts/setup.ts";

const LOOK_EVERY_MS = SECOND_MS;
const ANSWER_WITHIN_MS = 2 * MINUTE_MS;
/** All people, as their manager sees them. */
const MANAGER = { accountId: null, isManager: true } as const;

export interface StepParts {
  readonly clock: Pick<Clock, "sleep">;
  readonly store: Pick<Store, "get">;
  readonly setup: Pick<Setup, "tests" | "startTest" | "stopTest" | "skip" | "handOver">;
  readonly siteConnections: Pick<SiteConnections, "check" | "update">;
  readonly discovery: Pick<Discovery, "state" | "begin" | "setup" | "adopt">;
  readonly people: Pick<People, "list" | "create">;
  readonly statuses: () => readonly DeviceStatus[];
}

/** One import while it runs. */
export interface ImportRun {
  readonly by: SetupActor;
  readonly signal: AbortSignal;
  /** Adds what came of a device to the step that runs. */
  note(result: SetupImportResult): void;
  /** The whole network was searched in this import. */
  hasSearchedAll: boolean;
}

export interface PlannedStep {
  readonly step: SetupImportStep;
  readonly work: (run: ImportRun) => Promise<void>;
}

/** A step that cannot be done, for a reason of the import itself. */
export class ImportError extends Error {
  readonly code: Exclude<SetupImportFailure["code"], "refused">;

  constructor(code: ImportError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the steps of a file in their order. What is here already is left alone. */
export function stepsOf(file: SetupFile, parts: StepParts): readonly PlannedStep[] {
  const { site, devices, controlTests, people, leaveOut, handOver } = file;
  const { siteConnections, setup } = parts;
  const steps: PlannedStep[] = [];
  const add = (step: Pick<SetupImportStep, "kind"> & Partial<SetupImportStep>, work: PlannedStep["work"]): void => {
    const blank = { name: null, values: {}, state: "open" as const, results: [], failure: null };
    steps.push({ step: { ...blank, ...step }, work });
  };
  if (site !== undefined) {
    add({ kind: "site", values: textsOf(site) }, async () => void (await siteConnections.update(site as SiteChange)));
  }
  for (const device of devices) {
    const { name } = device;
    const state = isHere(name, parts) ? "unchanged" : "open";
    add({ kind: "device", name, values: deviceTexts(device), state }, (run) => addDevice(device, parts, run));
  }
  const awaited = devices.filter(({ saveAnyway }) => !saveAnyway).map(({ name }) => name);
  if (awaited.length > 0) add({ kind: "answers" }, (run) => waitForAnswers(awaited, parts, run));
  if (controlTests) add({ kind: "control-tests" }, (run) => testAll(parts, run));
  const accounts = new Set(parts.people.list(MANAGER).map(({ name }) => nameKey(name)));
  for (const person of people) {
    const { name, role } = person;
    const state = accounts.has(nameKey(name)) ? "unchanged" : "open";
    add({ kind: "person", name, values: { role }, state }, async () => void (await parts.people.create(person)));
  }
  for (const [name, reason] of Object.entries(leaveOut) as [SkippableStep, string][]) {
    add({ kind: "leave-out", name, values: { reason } }, async ({ by }) => {
      await setup.skip(name, { isSkipped: true, reason }, by);
    });
  }
  if (handOver !== undefined) {
    const { note = "" } = handOver;
    add({ kind: "hand-over", values: note === "" ? {} : { note } }, async ({ by }) => {
      await setup.handOver(note === "" ? null : note, by);
    });
  }
  return steps;
}

function textsOf(values: object): Record<string, string> {
  const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]));
}

/** Of settings the names only: they may be secrets. */
function deviceTexts({ host, brand, set, confirm }: SetupFileDevice): Record<string, string> {
  const names = Object.keys(set);
  return {
    ...(host !== undefined && { host }),
    ...(brand !== undefined && { brand }),
    ...(names.length > 0 && { set: names.join(", ") }),
    ...(confirm.length > 0 && { confirm: confirm.join(", ") }),
  };
}

function statusOf(name: string, { statuses, store }: StepParts): DeviceStatus | undefined {
  return statuses().find((status) => (store.get("device", status.id)?.name ?? status.name) === name);
}

function isHere(name: string, parts: StepParts): boolean {
  return statusOf(name, parts) !== undefined;
}

async function addDevice(device: SetupFileDevice, parts: StepParts, run: ImportRun): Promise<void> {
  const found = chosen(await search(device, parts, run), device);
  const fields = await fieldsOf(found, device, parts);
  const terms = { ...device, set: new Map(Object.entries(device.set)) };
  const body = adoptBodyOf(fields, terms, (setting) => {
    const issue = { code: "invalid_type", path: ["settings", setting], in: "body" as const, message: "Not a number" };
    throw problem("bad-request", `${setting} has to be a number.`, { issues: [issue] });
  });
  const { proof } = await parts.discovery.adopt(found.id, body satisfies AdoptBody);
  run.note({ name: foundName(found), outcome: "added", reason: null, detail: proof });
}

/** Searches as a person does on the page; the whole network once at most. */
async function search(
  { host }: SetupFileDevice,
  { clock, discovery }: StepParts,
  run: ImportRun,
): Promise<readonly FoundOnNetwork[]> {
  const ended = async (): Promise<void> => {
    while (discovery.state().isSearching) await clock.sleep(LOOK_EVERY_MS, run.signal);
  };
  if (host !== undefined || !run.hasSearchedAll) {
    await ended();
    discovery.begin({ isActive: true, ...(host !== undefined && { hosts: [host] }) });
    await ended();
    run.hasSearchedAll ||= host === undefined;
  }
  return discovery.state().devices.filter(({ address }) => host === undefined || address === host);
}

function chosen(found: readonly FoundOnNetwork[], { brand }: SetupFileDevice): FoundOnNetwork {
  const fitting = found.filter((device) => device.knownAs === null && isOfBrand(device, brand));
  const [first] = fitting;
  if (first === undefined) {
    const { code, text } = whyNoneFits(found, brand);
    throw new ImportError(code, text);
  }
  if (fitting.length === 1) return first;
  const names = fitting.map((device) => `${foundName(device)} (${device.address ?? "address unknown"})`).join(", ");
  throw new ImportError("several", `${fitting.length} devices fit; name one by its host or its brand: ${names}`);
}

/** What is to be decided about a device; nothing of one that does not answer and is added all the same. */
async function fieldsOf(
  { id }: FoundOnNetwork,
  { saveAnyway }: SetupFileDevice,
  { discovery }: StepParts,
): Promise<FoundSetup["fields"]> {
  try {
    return (await discovery.setup(id)).fields;
  } catch (error) {
    const isSilent = error instanceof ProblemError && ["bad-request", "timeout"].includes(error.slug);
    if (saveAnyway && isSilent) return [];
    throw error;
  }
}

/** A device that does not answer in time is said, and ends nothing. */
async function waitForAnswers(names: readonly string[], parts: StepParts, run: ImportRun): Promise<void> {
  const silent = (): readonly string[] => names.filter((name) => statusOf(name, parts)?.isReachable !== true);
  for (let waitedMs = 0; silent().length > 0 && waitedMs < ANSWER_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    await parts.clock.sleep(LOOK_EVERY_MS, run.signal);
  }
  for (const name of silent()) run.note({ name, outcome: "silent", reason: null, detail: null });
}

/** Tests each device that can be tested now, one after the other. A failed test ends the import. */
async function testAll({ clock, setup }: StepParts, run: ImportRun): Promise<void> {
  for (const { assetId, deviceId, refusal } of setup.tests()) {
    if (refusal !== null) {
      run.note({ name: deviceId, outcome: "not-tested", reason: refusal.code, detail: refusal.detail });
      continue;
    }
    await setup.startTest(assetId, run.by);
    const last = () => setup.tests().find((each) => each.assetId === assetId)?.last;
    try {
      while (last()?.state === "running") await clock.sleep(LOOK_EVERY_MS, run.signal);
    } finally {
      if (last()?.state === "running") setup.stopTest(assetId);
    }
    const isPassed = last()?.state === "passed";
    const reason = isPassed ? null : (last()?.cause ?? null);
    run.note({ name: deviceId, outcome: isPassed ? "passed" : "failed", reason, detail: null });
    if (!isPassed)
      throw new ImportError("test-failed", `${deviceId} failed its control test: ${reason ?? "interrupted"}`);
  }
}
