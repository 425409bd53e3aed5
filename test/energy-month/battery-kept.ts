/** What is promised of a battery that the plan commands: nothing is left forced, its range is kept, and it does as is shown. */
import type { World } from "../../src/testing/world.ts";
import type { RunningGateway } from "../long-run/gateway-box.ts";
import type { Tally } from "../long-run/tally.ts";
import type { Calm } from "./calm.ts";
import type { House } from "./house.ts";
import type { Shown } from "./promises-kept.ts";
import type { Residents } from "./residents.ts";
import { RESERVE } from "./storage.ts";
import { Sustained } from "./sustained.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** A forced mode that nobody asks for any more ends within this time. */
const LET_GO_WITHIN_MS = 2 * MINUTE_MS;
/** A power shows within this time after it was written, with the device's own latency. */
const SHOWS_WITHIN_MS = 30 * SECOND_MS;
const POWER_NOISE_W = 300;
/** A power that no limit asks for changes every 30 s at most. */
const POWERS_AN_HOUR = 120;
/** A reading is a moment old when it passes the reserve, %. */
const NEAR_RESERVE = 1;

export class BatteryKept {
  readonly #world: World;
  readonly #house: House;
  readonly #calm: Calm;
  readonly #residents: Residents;
  readonly #sustained: Sustained;
  readonly #judged: Tally;
  /** State of charge when the gateway's discharge began, %; `null`: there is none. */
  #startSoc: number | null = null;
  /** The power that was shown to be commanded last, W; `null`: none. */
  #shownW: number | null = null;

  constructor(parts: { world: World; house: House; calm: Calm; residents: Residents; judged: Tally }) {
    this.#world = parts.world;
    this.#house = parts.house;
    this.#calm = parts.calm;
    this.#residents = parts.residents;
    this.#judged = parts.judged;
    this.#sustained = new Sustained(parts.world.clock);
  }

  afterSecond(running: RunningGateway | null, shown: Shown): readonly string[] {
    const breaches = [...this.#house.battery.faults.splice(0), ...this.#powersWritten()];
    if (running === null || !this.#calm.isCalm("gateway", "battery")) {
      this.#sustained.clear();
      return breaches;
    }
    const isOurs = running.gateway.store.all("lease").some(({ origin, point }) => {
      return origin === "energy" && (point === "battery.mode" || point === "battery.powerSetpoint");
    });
    const isOwners = this.#residents.wantsBattery(this.#house.battery.mode);
    return [...breaches, ...this.#letGo(isOurs, isOwners), ...this.#range(isOurs, isOwners), ...this.#shown(shown)];
  }

  /** Nothing is forced that neither the plan nor a person asks for. */
  #letGo(isOurs: boolean, isOwners: boolean): readonly string[] {
    const { battery } = this.#house;
    const isAsked = isOwners || (isOurs && this.#residents.batteryUse.isPlanned);
    return this.#sustained.check("forced", {
      isBroken: battery.isForced && !isAsked,
      allowedMs: LET_GO_WITHIN_MS,
      text: `the battery is in ${battery.mode} with ${Math.round(battery.watts)} W, and nobody asks for it`,
    });
  }

  /** A discharge that the gateway forces ends at the reserve. */
  #range(isOurs: boolean, isOwners: boolean): readonly string[] {
    const { battery } = this.#house;
    const isForced = isOurs && !isOwners && battery.mode === "EXPORT_FOCUS";
    if (isForced) this.#judged.count("forced discharge, s");
    // What a person or a deep reserve has left below is not of this discharge.
    this.#startSoc = isForced ? (this.#startSoc ?? battery.soc) : null;
    if (isOurs && !isOwners && battery.mode === "IMPORT_FOCUS") this.#judged.count("forced charge, s");
    return this.#sustained.check("reserve", {
      isBroken: isForced && battery.soc < Math.min(RESERVE, this.#startSoc ?? RESERVE) - NEAR_RESERVE,
      allowedMs: 0,
      text: `the gateway discharges the battery at ${battery.soc.toFixed(1)} %, and ${RESERVE} % are its reserve`,
    });
  }

  /** The power that is shown to be commanded is what flows, unless the battery is full or empty. */
  #shown(state: Shown): readonly string[] {
    const { battery } = this.#house;
    const id = this.#residents.ids.get("battery");
    const shown = state()?.devices.find((device) => device.id === id);
    const watts = shown?.setpointKw === null || shown === undefined ? null : shown.setpointKw * 1_000;
    const canFollow = battery.soc < 99.5 && battery.soc > RESERVE + 0.5 && battery.isObedient;
    if (watts !== null && canFollow) this.#judged.count("commanded power, s");
    // Each power has its own time to show.
    if (watts !== this.#shownW) this.#sustained.clear("power");
    this.#shownW = watts;
    return this.#sustained.check("power", {
      isBroken: watts !== null && canFollow && Math.abs(battery.watts - watts) > POWER_NOISE_W,
      allowedMs: SHOWS_WITHIN_MS + 2 * battery.device.pollMs,
      text: `the battery is shown to be commanded with ${watts} W and has ${Math.round(battery.watts)} W in ${battery.mode}`,
    });
  }

  #powersWritten(): readonly string[] {
    const { powersMs } = this.#house.battery;
    const nowMs = this.#world.clock.monotonicMs();
    while ((powersMs[0] ?? nowMs) <= nowMs - HOUR_MS) powersMs.shift();
    if (powersMs.length <= POWERS_AN_HOUR || !this.#calm.wasCalmFor(HOUR_MS, "battery", "meter", "gateway")) return [];
    const text = `${powersMs.length} powers were written to the battery in an hour`;
    powersMs.length = 0;
    return [text];
  }
}
