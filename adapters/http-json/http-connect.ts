/** Makes a driver of a profile and what the owner says about one device. */
import {
  type AdapterContext,
  type ConfirmedControls,
  type ControlPoint,
  DeviceError,
  type DeviceIdentity,
  type Driver,
  type FormulaScope,
  type FormulaValue,
  isConfirmed,
  type KnownParts,
  OtherDeviceError,
  type PointValue,
  type PollClass,
  PresentParts,
  serialNumber,
  WrittenValues,
  withholdWithoutFailsafe,
  withParts,
} from "hemgate/sdk";
import { fieldValue } from "./field-value.ts";
import { offeredControls } from "./http-control.ts";
import { HttpDriver } from "./http-driver.ts";
import type { HttpLine } from "./http-line.ts";
import { compileField, httpMap } from "./http-map.ts";
import type { HttpField, HttpPoll, HttpProfile } from "./http-profile.ts";
import { HttpUnit } from "./http-unit.ts";
import type { Session } from "./sessions/session.ts";

/** What the owner says about a device. */
export interface HttpChoices {
  readonly session: Session;
  readonly settings: Readonly<Record<string, number>>;
  /** Turns on controls that no two sources agree on. */
  readonly confirmUnverified: ConfirmedControls;
  /** True offers what would force a battery for good if the gateway died. */
  readonly confirmNoFailsafe: boolean;
  readonly pollMs: Readonly<Partial<Record<PollClass, number | undefined>>>;
  /** The parts that earlier connections found. */
  readonly knownParts: KnownParts;
}

type World = Pick<AdapterContext, "clock">;

/** Asks the device who it is. Rejects with a `DeviceError` when it does not answer as the profile says. */
export async function connectHttp(
  profile: HttpProfile,
  { line, resources }: { readonly line: HttpLine; readonly resources: Disposable },
  choices: HttpChoices,
  world: World,
  signal: AbortSignal,
): Promise<Driver> {
  const number = (name: string): number | null => choices.settings[name] ?? profile.settings?.[name]?.default ?? null;
  const setting = (name: string): string | null => number(name)?.toString() ?? null;
  const unit = new HttpUnit({ profile, line, session: choices.session, setting });
  const map = httpMap(profile, setting);
  const answered = await firstAnswers(profile, unit, signal);
  const values = new Map<string, FormulaValue>();
  const written = new WrittenValues(world.clock);
  const scope: FormulaScope = {
    value: (key) => values.get(key),
    setting: number,
    lastWrite: (point) => written.get(point),
  };
  const offered = offeredControls(profile, {
    unit,
    clock: world.clock,
    scope,
    setting,
    isTrusted: ({ confidence }, point) =>
      confidence === "cross-checked" || isConfirmed(choices.confirmUnverified, point),
    readCurrent: (point, inTime) => currentValue(point, { profile, unit, setting, values }, inTime),
    written: (point: ControlPoint, value: PointValue, holdMs: number | null) => written.set(point, value, holdMs),
  });
  const { controls, withheld } = withholdWithoutFailsafe(offered.controls, choices.confirmNoFailsafe);
  const unconfirmed = [...new Set([...offered.unconfirmed, ...withheld])];
  const periodMs = (poll: PollClass): number => choices.pollMs[poll] ?? profile.pollMs[poll];
  const parts = profile.parts === undefined ? null : new PresentParts(profile.parts, choices.knownParts);
  const serial = serialField(profile, answered, setting);
  const driver = new HttpDriver({
    clock: world.clock,
    unit,
    map,
    identity: identityOf(profile, answered, setting),
    serialSource: serial?.source,
    serialPoll: serial?.from,
    recognize: (pollId, document) => {
      const found = serial?.from === pollId ? serial.read(document) : null;
      if (serial !== null && found !== null && found !== serial.reported) {
        throw new OtherDeviceError(serial.reported, found, "its address");
      }
    },
    values,
    controls,
    unconfirmed,
    pollMs: { fast: periodMs("fast"), normal: periodMs("normal"), slow: periodMs("slow") },
    scope,
    answered,
    parts,
    resources,
  });
  return parts === null ? driver : await withParts(driver, parts, world.clock, signal);
}

/** The answers that tell who it is, and the main one, which shows that the device is of this kind and lets us in. */
async function firstAnswers(
  { identity = {}, polls }: HttpProfile,
  unit: HttpUnit,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, unknown>> {
  const asked = new Set(Object.values(identity).flatMap((fields) => fields.map(({ from }) => from)));
  const [first] = polls;
  asked.add((polls.find(({ isOptional }) => isOptional !== true) ?? first).id);
  const answers = new Map<string, unknown>();
  for (const poll of polls) if (asked.has(poll.id)) await ask(poll, unit, answers, signal);
  return answers;
}

async function ask(poll: HttpPoll, unit: HttpUnit, answers: Map<string, unknown>, signal: AbortSignal): Promise<void> {
  try {
    answers.set(poll.id, await unit.ask(poll, signal));
  } catch (error) {
    const isRefused = error instanceof DeviceError && (error.kind === "rejected" || error.kind === "unauthorized");
    if (!(poll.isOptional === true && isRefused)) throw error;
  }
}

function identityOf(
  { brand, model, identity = {} }: HttpProfile,
  answered: ReadonlyMap<string, unknown>,
  setting: (name: string) => string | null,
): DeviceIdentity {
  const tell = (fields: readonly HttpField[] = []): string | null => {
    for (const field of fields) {
      const compiled = compileField({ type: "text", ...field }, setting);
      const document = answered.get(field.from);
      if (compiled === null || document === undefined) continue;
      const value = fieldValue(document, compiled, () => null);
      if (value !== null) return String(value);
    }
    return null;
  };
  const name = tell(identity.name);
  return {
    manufacturer: tell(identity.manufacturer) ?? brand,
    model: tell(identity.model) ?? model,
    serial: serialNumber(tell(identity.serial)),
    version: tell(identity.version),
    ...(name === null ? {} : { name }),
  };
}

/** Where the device's serial number was found, and how it is read again; null when it reported none. */
function serialField(
  { id, identity = {} }: HttpProfile,
  answered: ReadonlyMap<string, unknown>,
  setting: (name: string) => string | null,
) {
  for (const field of identity.serial ?? []) {
    const compiled = compileField({ type: "text", ...field }, setting);
    if (compiled === null) continue;
    const read = (document: unknown): string | null => {
      const value = fieldValue(document, compiled, () => null);
      return value === null ? null : serialNumber(String(value));
    };
    const document = answered.get(field.from);
    const reported = document === undefined ? null : read(document);
    if (reported !== null) return { from: field.from, source: `${id} ${JSON.stringify(field)}`, reported, read };
  }
  return null;
}

interface Holder {
  readonly profile: HttpProfile;
  readonly unit: HttpUnit;
  readonly setting: (name: string) => string | null;
  readonly values: ReadonlyMap<string, FormulaValue>;
}

/** What a device holds for a point that is read as it is written. */
async function currentValue(
  point: ControlPoint,
  { profile, unit, setting, values }: Holder,
  signal: AbortSignal,
): Promise<FormulaValue> {
  const found = profile.points.find(({ key }) => key === point);
  const poll = profile.polls.find(({ id }) => id === found?.from);
  const compiled = found === undefined ? null : compileField(found, setting);
  if (poll === undefined || compiled === null) return null;
  return fieldValue(await unit.ask(poll, signal), compiled, (key) => values.get(key) ?? null);
}
