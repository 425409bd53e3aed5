import { type Client, ClientError, type Schemas } from "../../client/index.ts";
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
      options.isJson ? JSON.stringify({ deviceId, device }) : `added ${whatOf(device)} as ${deviceId}; ${next}`,
    );
    return EXIT.ok;
  } catch (error) {
    throw error instanceof ClientError ? new CliError(EXIT.failed, refusalText(error)) : error;
  }
}

async function decide(options: AddOptions, parts: AddParts): Promise<{ readonly device: Found; readonly body: Body }> {
  const device = await chosen(await search(options, parts), options, parts);
  // With its address, and the reading that proved what it is.
  parts.err(`${whatOf(device)} at ${device.address ?? "an unknown address"}${proofOf(device)}`);
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
  const fitting = found.filter((device) => device.knownAs === null && fits(device, brand));
  const [first] = fitting;
  if (first === undefined) throw new CliError(EXIT.failed, whyNone(found, brand));
  if (fitting.length === 1) return first;
  const rows = fitting.map((device, at) => {
    const sure = `${Math.round(device.confidence * 100)} %`;
    return [String(at + 1), whatOf(device), device.serial ?? "", device.address ?? "", sure, device.proof ?? ""];
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

function fits({ manufacturer, model, name, profile, adapter }: Found, brand: string | undefined): boolean {
  const words = [manufacturer, model, name, profile, adapter].filter((word) => word !== null);
  return brand === undefined || words.join(" ").toLowerCase().includes(brand.toLowerCase());
}

function whyNone(found: readonly Found[], brand: string | undefined): string {
  const known = found.filter((device) => device.knownAs !== null && fits(device, brand));
  if (known.length > 0) {
    return `the gateway has it already: ${known.map((device) => `${whatOf(device)} is ${device.knownAs}`).join(", ")}`;
  }
  const others = found.map(whatOf).join(", ");
  if (brand !== undefined && found.length > 0) return `nothing of "${brand}" was found, but ${others}`;
  return "no new device was found; look at its power, cable and address, and whether its Modbus or local API is switched on";
}

async function bodyOf(fields: readonly Field[], options: AddOptions, { ask, stop }: AddParts): Promise<Body> {
  const texts = new Map(options.set.map(pairOf));
  const { confirm } = options;
  const body: Body & { options: NonNullable<Body["options"]> } = {
    options: {},
    ...(options.name !== undefined && { name: options.name }),
    ...(confirm.length > 0 && { confirmUnverified: confirm.includes("all") ? true : [...confirm] }),
    ...(options.confirmNoFailsafe && { confirmNoFailsafe: true }),
    ...(options.saveAnyway && { saveAnyway: true }),
  };
  for (const field of fields) {
    if (field.kind === "confirm") {
      const isAnswered = field.name === "confirmUnverified" ? confirm.length > 0 : options.confirmNoFailsafe;
      if (ask === null || isAnswered) continue;
      const isConfirmed = isYes(await ask(confirmText(field), stop));
      if (field.name === "confirmUnverified") body.confirmUnverified = isConfirmed;
      else if (field.name === "confirmNoFailsafe") body.confirmNoFailsafe = isConfirmed;
      else body.options[field.name] = isConfirmed;
      continue;
    }
    const setting = field.name.startsWith("settings.") ? field.name.slice("settings.".length) : null;
    const name = setting ?? field.name;
    const text = texts.get(name) ?? texts.get(field.name) ?? (ask === null ? "" : await ask(fieldText(field), stop));
    texts.delete(name);
    texts.delete(field.name);
    if (text === "") continue;
    if (setting !== null) body.settings = { ...body.settings, [setting]: numberOf(name, text) };
    else body.options[name] = field.kind === "number" ? numberOf(name, text) : text;
  }
  // The gateway says which options there are.
  for (const [name, text] of texts) body.options[name] = text;
  return body;
}

function pairOf(text: string): readonly [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/su.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new CliError(EXIT.usage, `--set ${text}: expected name=value`);
  return [name, value];
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new CliError(EXIT.usage, `${name}: ${text} is no number`);
  return value;
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
  if (ask !== null) return isYes(await ask(`Add ${whatOf(device)}? [y/N] `, stop));
  if (device.confidence >= SURE || isSure) return true;
  const sure = `${Math.round(device.confidence * 100)} %`;
  throw new CliError(EXIT.failed, `it is ${sure} sure that this is ${whatOf(device)}; --yes adds it all the same`);
}

function isYes(answer: string): boolean {
  return /^y(es)?$/iu.test(answer);
}

function whatOf({ manufacturer, model, name, adapter }: Found): string {
  const words = [manufacturer, model ?? name].filter((word) => word !== null);
  return words.length === 0 ? `an unknown device (${adapter})` : words.join(" ");
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
