import { z } from "zod";
import { EnergyMode } from "../domain/energy/energy-mode.ts";
import {
  BatteryUseSettings,
  EnergyPolicy,
  type EnergyPolicyUpdate,
  EnergyTarget,
} from "../domain/energy/energy-policy.ts";
import type { EnergyDeviceState } from "../domain/energy/energy-state.ts";
import { SiteSettings } from "../domain/energy/site/site-settings.ts";
import { HourMinute } from "../domain/hour-minute.ts";
import { ProblemError } from "../domain/problem.ts";
import type { SiteConnections } from "../engine/contracts/energy/energy.ts";
import type { EnergyManager } from "../engine/contracts/energy/energy-manager.ts";
import { json, type PayloadForm, word } from "./command-settings.ts";
import { ENERGY_SITE } from "./reserved-topics.ts";

/** The services behind the energy manager's commands. */
export interface EnergyCommandParts {
  readonly energy: Pick<EnergyManager, "device" | "setPolicy" | "clearPolicy" | "batteryUse" | "setBatteryUse">;
  readonly siteConnections: Pick<SiteConnections, "update" | "state">;
}

/** A command: what is to be set, on the device with this id or on the site, and to what. */
export interface EnergyCommand {
  readonly id: string;
  readonly setting: string;
  readonly payload: string;
  /** Wall-clock ms. */
  readonly nowMs: number;
}

/** Stands for "no mode": the energy manager is not in charge. */
export const NO_MODE = "NONE";
/** The modes that a command may set, and the word that removes one. */
const MODE_WORDS = [NO_MODE, ...EnergyMode.options] as const;

/** A goal that has no time yet is to be reached at this time of every day. */
const DEFAULT_TIME = "07:00";
/** A time that has no goal yet is that of a full vehicle, %. */
const FULL_SOC = 100;
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

const { priority, gridShare, powerKw, phases } = EnergyPolicy.shape;
const { holdWhileFast, priorityBelow } = BatteryUseSettings.shape;
const { soc, energyKwh } = EnergyTarget.options[0].shape;

const FORMS = {
  priority: { schema: priority, expected: "a whole number from 1 to 100; the lowest gets power first" },
  gridShare: { schema: gridShare, expected: "a share from 0 to 1, such as 0.2" },
  powerKw: { schema: powerKw, expected: "a number of kilowatts, such as 2, or null for the default" },
  phases: { schema: phases, expected: "1 or 3, or null for as many as the power needs" },
  target: {
    schema: EnergyTarget.nullable(),
    expected:
      'a target in JSON, such as {"kind":"WEEKLY","time":"07:00","weekdays":[0,1],"soc":80,"energyKwh":null}, or null for none',
  },
  targetSoc: { schema: soc.unwrap(), expected: "a number of percent from 1 to 100, such as 80" },
  targetEnergy: { schema: energyKwh.unwrap(), expected: "a number of kilowatt hours above 0, such as 10" },
  targetTime: { schema: HourMinute, expected: "a time of day, such as 07:00" },
  percent: { schema: priorityBelow, expected: "a number of percent from 0 to 100, such as 40" },
  boolean: { schema: holdWhileFast, expected: "true or false" },
  importKw: { schema: kilowatts("importKw"), expected: "a number of kilowatts, such as 11, or null for no limit" },
  feedInKw: { schema: kilowatts("feedInKw"), expected: "a number of kilowatts, such as 6, or null for no limit" },
} as const satisfies Readonly<Record<string, PayloadForm<unknown>>>;

type Device = (parts: EnergyCommandParts, command: EnergyCommand) => Promise<unknown>;

/** Commands for a charger, vehicle or heat pump: `hemgate/energy/<id>/<setting>/set`. */
const DEVICE_SETTINGS: Readonly<Record<string, Device>> = {
  mode: async ({ energy }, { id, payload }) => {
    const mode = word(z.enum(MODE_WORDS), payload);
    if (mode !== NO_MODE) return await energy.setPolicy(id, { mode });
    await energy.clearPolicy(id);
    return seenDevice(energy, id) ?? { id, policy: null };
  },
  priority: policy(({ payload }) => ({ priority: json(FORMS.priority, payload) })),
  gridShare: policy(({ payload }) => ({ gridShare: json(FORMS.gridShare, payload) })),
  powerKw: policy(({ payload }) => ({ powerKw: json(FORMS.powerKw, payload) })),
  phases: policy(({ payload }) => ({ phases: json(FORMS.phases, payload) })),
  target: policy(({ payload }) => ({ target: json(FORMS.target, payload) })),
  targetSoc: policy(({ payload, nowMs }, before) =>
    withGoal(before, nowMs, { soc: json(FORMS.targetSoc, payload), energyKwh: null }),
  ),
  targetEnergy: policy(({ payload, nowMs }, before) =>
    withGoal(before, nowMs, { soc: null, energyKwh: json(FORMS.targetEnergy, payload) }),
  ),
  targetTime: policy(({ payload }, before) => withTime(before, text(FORMS.targetTime, payload))),
};

type Site = (parts: EnergyCommandParts, payload: string) => Promise<unknown>;

/** Commands for the house: `hemgate/energy/site/<setting>/set`. */
const SITE_SETTINGS: Readonly<Record<string, Site>> = {
  holdWhileFast: ({ energy }, payload) => energy.setBatteryUse({ holdWhileFast: json(FORMS.boolean, payload) }),
  priorityBelow: ({ energy }, payload) => energy.setBatteryUse({ priorityBelow: json(FORMS.percent, payload) }),
  minSoc: ({ energy }, payload) => energy.setBatteryUse({ minSoc: json(FORMS.percent, payload) }),
  maxSoc: ({ energy }, payload) => energy.setBatteryUse({ maxSoc: json(FORMS.percent, payload) }),
  supportAbove: ({ energy }, payload) => energy.setBatteryUse({ supportAbove: json(FORMS.percent, payload) }),
  importKw: async ({ siteConnections }, payload) =>
    (await siteConnections.update({ importKw: json(FORMS.importKw, payload) })).settings,
  feedInKw: async ({ siteConnections }, payload) =>
    (await siteConnections.update({ feedInKw: json(FORMS.feedInKw, payload) })).settings,
};

/**
 * Applies a command for the energy manager, as a request to the API does, and returns what it changed; `null` if there is
 * no such setting. Rejects with the problems of the API.
 */
export async function setEnergy(parts: EnergyCommandParts, command: EnergyCommand): Promise<object | null> {
  const { id, setting, payload } = command;
  if (id === ENERGY_SITE) {
    const run = Object.hasOwn(SITE_SETTINGS, setting) ? SITE_SETTINGS[setting] : undefined;
    return run === undefined ? null : { energySite: await run(parts, payload) };
  }
  const run = Object.hasOwn(DEVICE_SETTINGS, setting) ? DEVICE_SETTINGS[setting] : undefined;
  return run === undefined ? null : { energyDevice: await run(parts, command) };
}

function policy(read: (command: EnergyCommand, before: EnergyTarget | null) => EnergyPolicyUpdate): Device {
  return async ({ energy }, command) => {
    const { id } = command;
    return await energy.setPolicy(id, read(command, seenDevice(energy, id)?.policy?.target ?? null));
  };
}

/** A vehicle that is away and has no mode is unknown to the energy manager. */
function seenDevice(energy: EnergyCommandParts["energy"], id: string): EnergyDeviceState | null {
  try {
    return energy.device(id);
  } catch (error) {
    if (error instanceof ProblemError && error.slug === "not-found") return null;
    throw error;
  }
}

function withGoal(
  before: EnergyTarget | null,
  nowMs: number,
  goal: Pick<EnergyTarget, "soc" | "energyKwh">,
): Pick<EnergyPolicyUpdate, "target"> {
  // A time that has passed would be refused, again and again.
  const isOver = before?.kind === "ONCE" && Date.parse(before.by) <= nowMs;
  const when =
    before !== null && !isOver ? before : { kind: "WEEKLY" as const, time: DEFAULT_TIME, weekdays: EVERY_DAY };
  return { target: { ...when, ...goal } };
}

function withTime(before: EnergyTarget | null, time: string): Pick<EnergyPolicyUpdate, "target"> {
  const weekdays = before?.kind === "WEEKLY" ? before.weekdays : EVERY_DAY;
  const goal = { soc: before === null ? FULL_SOC : before.soc, energyKwh: before?.energyKwh ?? null };
  return { target: { kind: "WEEKLY", time, weekdays, ...goal } };
}

/** A time of day is sent bare, or in JSON's quotes. */
function text<T>(form: PayloadForm<T>, payload: string): T {
  return json(form, JSON.stringify(payload.trim().replace(/^"(.*)"$/, "$1")));
}

function kilowatts(name: "importKw" | "feedInKw") {
  return SiteSettings.shape[name].unwrap().nullable();
}
