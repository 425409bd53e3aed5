/** `hemgate profile test`: tries a profile on a device, without a gateway. Writes only on request, and restores it. */

import type { BusWorld } from "../../../adapters/modbus/bus/bus-world.ts";
import type { ModbusOptions } from "../../../adapters/modbus/connect-options.ts";
import { connectOptions } from "../../../adapters/modbus/connect-options.ts";
import { type ControlTerms, controlTerms } from "../../../adapters/modbus/driver/control-terms.ts";
import { openTrial, type ProfileTrial, type TriedRound } from "../../../adapters/modbus/profile/profile-trial.ts";
import { pathText } from "../../config/mistake.ts";
import { nearest } from "../../config/nearest.ts";
import { withCurrentDirections } from "../../domain/assets/current-direction.ts";
import { issueText } from "../../domain/issue-text.ts";
import { codeOf } from "../../platform/error-text.ts";
import { DeviceError } from "../../points/device-error.ts";
import type { Reading } from "../../points/points.ts";
import type { DeviceProfile } from "../../sdk/profile.ts";
import { choicesProblem } from "../../sdk/profile-choices.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { findProfile } from "./find-profile.ts";
import { inUseText } from "./in-use.ts";
import { nameIn } from "./name-in.ts";
import { controlsText, identityText, roundText } from "./trial-text.ts";
import { type RequestedWrite, requestedWrite, tryWrite } from "./try-write.ts";

/** How often `--watch` reads. */
const WATCH_MS = 2_000;

export interface TestOptions {
  /** A file or the name of a profile. */
  readonly name: string;
  readonly folder: string;
  /** The configuration that a running gateway may have, to tell whether it uses the same device. */
  readonly configFile: string;
  /** Where the device is, as its entry in a configuration would say. */
  readonly line: Readonly<Record<string, string | number>>;
  /** `name=value`, as typed. */
  readonly settings: readonly string[];
  readonly isWatch: boolean;
  readonly isJson: boolean;
  /** `point=value`, as typed. */
  readonly write?: string;
  readonly isYes: boolean;
}

type Out = Pick<CliContext, "out" | "err" | "stop">;

/** What is known before the device is asked. */
interface Prepared {
  readonly profile: DeviceProfile;
  readonly device: ModbusOptions;
  readonly request: RequestedWrite | null;
  /** What a running gateway has to do with the device. */
  readonly note: string | null;
}

export async function testProfile(options: TestOptions, context: Out, world: BusWorld): Promise<ExitCode> {
  return await askDevice(await prepareTest(options, context), options, context, world);
}

/** Checks what was typed, before the device is asked. Rejects when it makes no sense. */
export async function prepareTest(options: TestOptions, context: Pick<Out, "stop">): Promise<Prepared> {
  const profile = await findProfile(options.name, options.folder);
  const device = deviceOptions(profile, options);
  const request = options.write === undefined ? null : requestedWrite(options.write, profile);
  return { profile, device, request, note: await inUseText({ ...options, line: device }, context.stop) };
}

export async function askDevice(
  { profile, device, request, note }: Prepared,
  options: TestOptions,
  context: Out,
  world: BusWorld,
): Promise<ExitCode> {
  if (note !== null) context.err(note);
  try {
    using trial = await openTrial(world, profile, device, context.stop);
    return await run({ trial, terms: controlTerms(profile, device.settings), request }, options, context, world);
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    const hint = error.kind === "unreachable" && note !== null ? `\n${note}` : "";
    throw new CliError(EXIT.failed, `${profile.id}: ${chain(error)}${hint}`, { cause: error });
  }
}

/** What the device said, and what was behind it. */
function chain(error: Error): string {
  const { message, cause } = error;
  const isSaid = !(cause instanceof Error) || message.includes(cause.message) || codeOf(cause) !== null;
  return isSaid ? message : `${message}: ${cause.message}`;
}

/** The trial's own confirmation is `--write … --yes`: nothing is written without it. */
function deviceOptions(profile: DeviceProfile, { line, settings, isYes }: TestOptions): ModbusOptions {
  const entry = { ...line, profile: profile.id, settings: settingsOf(settings) };
  const parsed = connectOptions([profile.id]).safeParse({
    ...entry,
    confirmUnverified: isYes,
    confirmNoFailsafe: isYes,
  });
  if (!parsed.success) throw new CliError(EXIT.usage, issueText(parsed.error));
  const wrong = choicesProblem(profile, parsed.data);
  if (wrong !== null) {
    const { path = [], message, validNames = [] } = wrong;
    const hint = nearest(String(path.at(-1)), validNames);
    throw new CliError(EXIT.usage, `${pathText(path)}: ${message}${hint === null ? "" : `; did you mean "${hint}"?`}`);
  }
  return parsed.data;
}

function settingsOf(typed: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    typed.map((text) => {
      const [, name = "", value = ""] = /^([A-Za-z][A-Za-z0-9]*)=(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
      if (name === "")
        throw new CliError(
          EXIT.usage,
          `--setting${nameIn(text)}: expected a name and a number, such as maxChargeW=2000`,
        );
      return [name, Number(value)];
    }),
  );
}

interface Run {
  readonly trial: ProfileTrial;
  readonly terms: readonly ControlTerms[];
  readonly request: RequestedWrite | null;
}

async function run(
  { trial, terms, request }: Run,
  { isJson, isWatch, isYes }: TestOptions,
  context: Out,
  { clock }: Pick<BusWorld, "clock">,
): Promise<ExitCode> {
  const print = (value: object, text: string): void => context.out(isJson ? JSON.stringify(value, bigText) : text);
  let round = shownRound(await trial.read(context.stop));
  const { identity } = trial;
  const report = { identity, ...round, controls: terms };
  print(report, [identityText(identity), "", roundText(round), "", controlsText(terms)].join("\n"));
  if (request !== null && !isYes) {
    throw new CliError(
      EXIT.usage,
      `nothing was written: to set ${request.point} to ${request.value} for a moment, add --yes`,
    );
  }
  if (request !== null) {
    const result = await tryWrite(trial, request, round, clock, context.stop);
    print({ write: result }, result.lines.join("\n"));
    if (!result.isRight) return EXIT.failed;
  }
  while (isWatch && !context.stop.aborted) {
    await clock.sleep(WATCH_MS, context.stop);
    round = shownRound(await trial.read(context.stop));
    print(round, `\n${roundText(round)}`);
  }
  return round.registers.some(({ value }) => value !== null) ? EXIT.ok : EXIT.failed;
}

/** Returns the round with its points as the API shows them: currents have the sign of their power. */
function shownRound(round: TriedRound): TriedRound {
  const readings = round.points.map((each) => each as Reading);
  const names = readings.map(({ point }) => point);
  return { ...round, points: withCurrentDirections(readings, {}, names) };
}

function bigText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
