import { type Client, ClientError, type Schemas } from "../../client/index.ts";
import { adoptBodyOf, foundName, isOfBrand, settingOf, whyNoneFits } from "../../domain/discovery/found-choice.ts";
import { SECOND_MS } from "../../domain/duration.ts";
import type { Ask } from "../../platform/node/terminal-question.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { textTable } from "../text-table.ts";

const LOOK_EVERY_MS = SECOND_MS;
/** Below this a person is asked whether it is the right device, as the page does. */
const SURE = 0.8;

type Found = Schemas["FoundOnNetwork"];
type Field = Schemas["FoundDeviceSetup"]["fields"][number];
type Body = Schemas["AdoptBody"];

export interface AddOptions {
  readonly isJson: boolean;
  /** Addresses to ask; empty: the house's networks. */
  readonly hosts: readonly string[];
  /** A part of the manufacturer, model, profile or adapter. */
  readonly brand?: string;
  readonly name?: string;
  /** Settings and options, each `name=value`. */
  readonly set: readonly string[];
  /** Unverified controls to switch on; `all` for each of them. */
  readonly confirm: readonly string[];
  readonly confirmNoFailsafe: boolean;
  /** True: a device that cannot be read now is added, too. */
  readonly saveAnyway: boolean;
  /** True: a person at the terminal is asked nothing. */
  readonly isSure: boolean;
}

export interface AddParts extends Pick<CliContext, "out" | "err" | "stop"> {
  readonly client: Client;
  readonly clock: Pick<Clock, "sleep">;
  /** `null`: nobody is there to be asked. */
  readonly ask: Ask | null;
}

/** `hemgate add`: finds a device in the house's network, asks for what it needs, and adds it. */
export async function add(options: AddOptions, all: AddParts): Promise<ExitCode> {
  const parts = options.isSure ? { ...all, ask: null } : all;
  try {
    const { device, body } = await decide(options, parts);
    if (!(await isAgreed(device, options, parts))) {
      parts.err("nothing was added");
      return EXIT.failed;
    }
    const path = { foundId: device.id };
    const { deviceId } = await parts.client.post("/local/discovery/{foundId}/adopt", { path, body });
    const next = `\`hemgate read ${deviceId}\` prints its values`;
    parts.out(
      options.isJson ? JSON.stringify({ deviceId, device }) : `added ${foundName(device)} as ${deviceId}; ${next}`,
    );
    return EXIT.ok;
  } catch (error) {
    throw error instanceof ClientError ? new CliError(EXIT.failed, refusalText(error)) : error;
  }
}

async function decide(options: AddOptions, parts: AddParts): Promise<{ readonly device: Found; readonly body: Body }> {
  const device = await chosen(await search(options, parts), options, parts);
  // With its address, and the reading that proved what it is.
  parts.err(`${foundName(device)} at ${device.address ?? "an unknown address"}${proofOf(device)}`);
  return { device, body: await bodyOf(await fieldsOf(device, options, parts), options, parts) };
}

/** What is to be decided about a device; nothing of one that does not answer and is added all the same. */
async function fieldsOf({ id }: Found, { saveAnyway }: AddOptions, { client }: AddParts): Promise<readonly Field[]> {
  try {
    return (await client.get("/local/discovery/{foundId}/setup", { path: { foundId: id } })).fields;
  } catch (error) {
    if (saveAnyway && error instanceof ClientError && [400, 408].includes(error.status)) return [];
    throw error;
  }
}

/** Searches as the page does, and waits for the end. */
async function search({ hosts }: AddOptions, { client, clock, err, stop }: AddParts): Promise<readonly Found[]> {
  const body = { isActive: true, ...(hosts.length > 0 && { hosts: [...hosts] }) };
  err(hosts.length > 0 ? `asking ${hosts.join(", ")}…` : "asking the house's hosts; up to two minutes…");
  let state = await client.post("/local/discovery", { body });
  while (state.isSearching) {
    await clock.sleep(LOOK_EVERY_MS, stop);
    state = await client.get("/local/discovery");
  }
  const isAsked = ({ address }: Found): boolean => hosts.length === 0 || (address !== null && hosts.includes(address));
  const inUse = hosts.filter((host) => state.hostsInUse.includes(host));
  if (inUse.length > 0) err(`${inUse.join(", ")}: left alone, because the gateway talks to it already`);
  return state.devices.filter(isAsked);
}

async function chosen(found: readonly Found[], { brand }: AddOptions, { ask, err, stop }: AddParts): Promise<Found> {
  const fitting = found.filter((device) => device.knownAs === null && isOfBrand(device, brand));
  const [first] = fitting;
  if (first === undefined) throw new CliError(EXIT.failed, whyNoneFits(found, brand).text);
  if (fitting.length === 1) return first;
  const rows = fitting.map((device, at) => {
    const sure = `${Math.round(device.confidence * 100)} %`;
    return [String(at + 1), foundName(device), device.serial ?? "", device.address ?? "", sure, device.proof ?? ""];
  });
  const table = textTable(["NO", "WHAT", "SERIAL", "WHERE", "SURE", "NOW"], rows);
  if (ask === null) {
    throw new CliError(EXIT.usage, `${fitting.length} devices fit; name one by --brand or --host:\n${table}`);
  }
  err(table);
  for (;;) {
    const device = fitting[Number(await ask(`Which one? 1 to ${fitting.length}: `, stop)) - 1];
    if (device !== undefined) return device;
  }
}

/** Asks a person for what the flags do not say. */
async function bodyOf(fields: readonly Field[], options: AddOptions, { ask, stop }: AddParts): Promise<Body> {
  const set = new Map(options.set.map(pairOf));
  const { name, saveAnyway } = options;
  let { confirm, confirmNoFailsafe } = options;
  const confirmed: Record<string, boolean> = {};
  for (const field of fields) {
    if (ask === null) break;
    if (field.kind !== "confirm") {
      const setting = settingOf(field.name) ?? field.name;
      if (!set.has(setting) && !set.has(field.name)) set.set(setting, await ask(fieldText(field), stop));
      continue;
    }
    const isAnswered = field.name === "confirmUnverified" ? confirm.length > 0 : confirmNoFailsafe;
    if (isAnswered) continue;
    const isConfirmed = isYes(await ask(confirmText(field), stop));
    if (field.name === "confirmUnverified") confirm = isConfirmed ? ["all"] : [];
    else if (field.name === "confirmNoFailsafe") confirmNoFailsafe = isConfirmed;
    else confirmed[field.name] = isConfirmed;
  }
  const terms = { set, confirm, confirmNoFailsafe, saveAnyway, ...(name !== undefined && { name }) };
  const body: Body = adoptBodyOf(fields, terms, (setting) => {
    throw new CliError(EXIT.usage, `${setting}: ${set.get(setting)} is no number`);
  });
  return { ...body, options: { ...confirmed, ...body.options } };
}

function pairOf(text: string): readonly [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/su.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new CliError(EXIT.usage, `--set ${text}: expected name=value`);
  return [name, value];
}

function fieldText(field: Exclude<Field, { kind: "confirm" }>): string {
  const range = field.kind === "number" ? `, ${field.min} to ${field.max} ${field.unit}`.trimEnd() : "";
  const without = field.initial !== null ? `, empty: ${field.initial}` : field.isRequired ? "" : ", empty: none";
  const hint = field.hint === null ? "" : `${field.hint}\n`;
  return `${hint}${field.label ?? field.name}${range}${without}: `;
}

function confirmText(field: Extract<Field, { kind: "confirm" }>): string {
  const controls = field.details.map(({ point, values, source }) => {
    return `  ${[point, ...(values ?? [])].join(" ")} (${source})\n`;
  });
  const hint = field.hint === null ? "" : `${field.hint}\n`;
  return `${hint}${controls.join("")}${field.label ?? field.name}? [y/N] `;
}

async function isAgreed(device: Found, { isSure }: AddOptions, { ask, stop }: AddParts): Promise<boolean> {
  if (ask !== null) return isYes(await ask(`Add ${foundName(device)}? [y/N] `, stop));
  if (device.confidence >= SURE || isSure) return true;
  const sure = `${Math.round(device.confidence * 100)} %`;
  throw new CliError(EXIT.failed, `it is ${sure} sure that this is ${foundName(device)}; --yes adds it all the same`);
}

function isYes(answer: string): boolean {
  return /^y(es)?$/iu.test(answer);
}

function proofOf({ proof }: Found): string {
  return proof === null ? "" : `: ${proof}`;
}

/** What the gateway says, with each fault and how to give the value. */
export function refusalText({ message, issues }: ClientError): string {
  const faults = issues.map(({ path, message: fault }) => {
    const name = String(path.at(-1) ?? "");
    const isSettable = path[0] === "options" || path[0] === "settings";
    if (path[0] === "saveAnyway") return "  --save-anyway adds it without reading it";
    return `  ${path.join(".")}: ${fault}${isSettable ? ` (--set ${name}=…)` : ""}`;
  });
  return [message, ...faults].join("\n");
}
