import { type Control, type ControlPoint, DeviceError, type PointName, type PointValue } from "hemgate/sdk";
import type { BridgeOptions, Command, Intake } from "../kit/bridge.ts";
import { PHASES, type Role } from "../kit/role.ts";
import { LEAST_A, stationControls, USUAL_MOST_A } from "../kit/station.ts";
import { toPoint } from "../kit/units.ts";
import { chargerState } from "./charger-state.ts";
import { type GxNotice, type GxPart, type GxPath, numberIn, textIn } from "./gx-part.ts";
import { gxCommand } from "./gx-write.ts";

/** Control by others. In the modes auto (1) and scheduled (2) the station chooses the current itself. */
const MANUAL = 0;

type Numbers = Readonly<Record<string, readonly [point: PointName, unit: string]>>;

const METER: Numbers = {
  "Ac/Power": ["meter.power", "W"],
  "Ac/Frequency": ["meter.frequency", "Hz"],
  "Ac/Energy/Forward": ["meter.energyImport", "kWh"],
  "Ac/Energy/Reverse": ["meter.energyExport", "kWh"],
  ...Object.fromEntries(
    PHASES.flatMap((phase) => [
      [`Ac/${phase.toUpperCase()}/Power`, [`meter.power.${phase}`, "W"]],
      [`Ac/${phase.toUpperCase()}/Voltage`, [`meter.voltage.${phase}`, "V"]],
      [`Ac/${phase.toUpperCase()}/Current`, [`meter.current.${phase}`, "A"]],
    ]),
  ),
};

/** Services by role, each with what it tells; the charger's states beside that. */
const SERVICES: Readonly<Record<Exclude<Role, "hvac">, Readonly<Record<string, Numbers>>>> = {
  meter: { grid: METER, acload: METER },
  inverter: {
    pvinverter: { "Ac/Power": ["inverter.power", "W"], "Ac/Energy/Forward": ["inverter.energy", "kWh"] },
    solarcharger: { "Yield/Power": ["inverter.power", "W"], "Yield/System": ["inverter.energy", "kWh"] },
  },
  battery: {
    battery: {
      "Dc/0/Power": ["battery.power", "W"],
      Soc: ["battery.soc", "%"],
      "History/ChargedEnergy": ["battery.energyCharged", "kWh"],
      "History/DischargedEnergy": ["battery.energyDischarged", "kWh"],
    },
  },
  charger: {
    evcharger: {
      "Ac/Power": ["charger.power", "W"],
      "Ac/Energy/Forward": ["charger.energy", "kWh"],
      "Session/Energy": ["charger.energySession", "kWh"],
      SetCurrent: ["charger.maxCurrent", "A"],
    },
  },
};
const STATES: Readonly<Partial<Record<Role, readonly string[]>>> = {
  charger: ["Status", "StartStop", "Mode", "MaxCurrent"],
};
const NAMES = ["ProductName", "CustomName", "Serial"];

export type ComponentRole = keyof typeof SERVICES;
export const COMPONENT_ROLES: readonly ComponentRole[] = ["meter", "inverter", "battery", "charger"];

/** One component behind a GX, by its service and instance. */
export class ComponentPart implements GxPart {
  readonly paths: readonly GxPath[];
  readonly #portal: string;
  readonly #role: ComponentRole;
  readonly #reported = new Set<string>();
  #service: string | null = null;
  #instance: number | null;
  #isComplete = false;
  #mode: number | null = null;
  #mostA = USUAL_MOST_A;

  constructor(portal: string, role: ComponentRole, { channel }: BridgeOptions) {
    this.#portal = portal;
    this.#role = role;
    this.#instance = channel;
    this.paths = Object.entries(SERVICES[role]).flatMap(([service, numbers]) =>
      [...Object.keys(numbers), ...(STATES[role] ?? []), ...NAMES].map((path) => ({ service, path })),
    );
  }

  take(notice: GxNotice, intake: Intake): void {
    const { service, instance, path, isGone } = notice;
    if (instance !== (this.#instance ?? instance) || service !== (this.#service ?? service)) return;
    // The first that speaks, where none is named.
    this.#instance = instance;
    this.#service = service;
    if (!isGone) this.#reported.add(path);
    intake.present(!isGone, `${service} ${instance} left the GX`);
    if (!isGone) intake.alive();
    const number = SERVICES[this.#role][service]?.[path];
    if (number !== undefined) intake.number(number[0], notice.value, toPoint(number[1], number[0]));
    else this.#state(notice, intake);
  }

  complete(): void {
    this.#isComplete = true;
  }

  missing(): string | null {
    return this.#isComplete ? null : "the end of what the GX has to tell";
  }

  controls(): readonly Control[] {
    if (this.#role !== "charger") return [];
    return stationControls(this.#mostA).filter(({ point }) =>
      this.#reported.has(point === "charger.maxCurrent" ? "SetCurrent" : "StartStop"),
    );
  }

  command(point: ControlPoint, value: PointValue): Command {
    if (this.#service === null) throw new DeviceError("unreachable", `${point}: it is not on the bus`);
    const base = `${this.#portal}/${this.#service}/${this.#instance}`;
    const takeOver = this.#mode === MANUAL ? [] : [{ topic: `${base}/Mode`, value: MANUAL }];
    if (point === "charger.maxCurrent") {
      return gxCommand(takeOver, { topic: `${base}/SetCurrent`, value: Math.floor(Number(value)) });
    }
    return gxCommand(takeOver, { topic: `${base}/StartStop`, value: value === true ? 1 : 0 });
  }

  #state(notice: GxNotice, intake: Intake): void {
    const value = numberIn(notice);
    switch (notice.path) {
      case "Status":
        intake.value("charger.state", chargerState(value));
        break;
      case "StartStop":
        intake.value("charger.enabled", value === null ? null : value !== 0);
        break;
      case "Mode":
        this.#mode = value;
        break;
      case "MaxCurrent":
        if (value !== null && value >= LEAST_A) this.#mostA = value;
        break;
      case "ProductName":
        intake.identity({ model: textIn(notice) });
        break;
      case "CustomName":
        intake.identity({ name: textIn(notice) });
        break;
      case "Serial":
        intake.identity({ serial: textIn(notice) });
    }
  }
}
