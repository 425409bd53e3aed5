/** What is promised of heat: comfort where it can be reached, never too warm, few starts, nothing left on. */
import { isLimit } from "../../src/domain/energy/energy-state.ts";
import type { World } from "../../src/testing/world.ts";
import type { RunningGateway } from "../long-run/gateway-box.ts";
import type { Tally } from "../long-run/tally.ts";
import type { Calm } from "./calm.ts";
import type { Heating } from "./heating.ts";
import type { House } from "./house.ts";
import type { Shown } from "./promises-kept.ts";
import type { Residents } from "./residents.ts";
import { Sustained } from "./sustained.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Readings are rounded and late, K. */
const NEAR_K = 1.5;
/** A store goes on heating for no longer than a reading takes, ms. */
const STOPS_WITHIN_MS = 2 * MINUTE_MS;
/** What is cold is heated within this time, ms. */
const HEATS_WITHIN_MS = 2 * MINUTE_MS;
const HEATS_W = 90;
/** 20 minutes on and 10 off make two; a limit may cut some short. */
const STARTS_AN_HOUR = 3;

export class HeatKept {
  readonly #world: World;
  readonly #house: House;
  readonly #calm: Calm;
  readonly #residents: Residents;
  readonly #sustained: Sustained;
  readonly #judged: Tally;

  constructor(parts: { world: World; house: House; calm: Calm; residents: Residents; judged: Tally }) {
    this.#world = parts.world;
    this.#house = parts.house;
    this.#calm = parts.calm;
    this.#residents = parts.residents;
    this.#judged = parts.judged;
    this.#sustained = new Sustained(parts.world.clock);
  }

  afterSecond(running: RunningGateway | null, state: Shown): readonly string[] {
    const { heating } = this.#house;
    if (heating === null) return [];
    const breaches = this.#starts(heating);
    if (running === null || !this.#calm.isCalm("gateway", "meter", heating.id) || !heating.isObedient) {
      this.#sustained.clear();
      return breaches;
    }
    return [...breaches, ...this.#comfort(heating, state), ...this.#leftOn(heating)];
  }

  /** Between its two temperatures, where nothing but the gateway decides. */
  #comfort(heating: Heating, state: Shown): readonly string[] {
    const { heat, mode, ids } = this.#residents;
    const id = ids.get(heating.id);
    const shown = state()?.devices.find((device) => device.id === id);
    const isPlanned = mode.get(heating.id) === "PLANNED" && shown?.inCharge === "energy";
    const code = shown?.reason?.code;
    // After a limit has stopped it, it rests for five minutes, as a charger does.
    const isLimited = code === undefined || code === "waits-minimum-time" || isLimit(code);
    const { temperatureC, watts, latencyMs, device } = heating;
    if (isPlanned) this.#judged.count("planned heat, s");
    const isWarm = temperatureC > heat.maxC + NEAR_K;
    const isCold = heating.kind === "heater" && temperatureC < heat.minC - NEAR_K && !isLimited;
    const about = `${temperatureC.toFixed(1)} °C, and ${heat.minC} to ${heat.maxC} °C are wanted: ${JSON.stringify(shown?.reason)}`;
    return [
      ...this.#sustained.check("too warm", {
        isBroken: isPlanned && isWarm && heating.isRaised,
        // A compressor that was started runs for its least time.
        allowedMs: latencyMs + 2 * device.pollMs + (heating.kind === "heater" ? STOPS_WITHIN_MS : 25 * MINUTE_MS),
        text: `the ${heating.kind} takes ${Math.round(watts)} W at ${about}`,
      }),
      ...this.#sustained.check("too cold", {
        isBroken: isPlanned && isCold && watts < (heating.maxW * HEATS_W) / 100,
        allowedMs: latencyMs + 2 * device.pollMs + HEATS_WITHIN_MS,
        text: `the ${heating.kind} takes ${Math.round(watts)} W at ${about}`,
      }),
    ];
  }

  /** Without a mode, and in the mode `OFF`, nothing that the gateway commanded goes on. */
  #leftOn(heating: Heating): readonly string[] {
    const { mode } = this.#residents;
    const isOff = !mode.has(heating.id) || mode.get(heating.id) === "OFF";
    return this.#sustained.check("heat left on", {
      isBroken: isOff && heating.isRaised && !this.#residents.wantsHeat,
      allowedMs: heating.latencyMs + 25 * MINUTE_MS,
      text: `the ${heating.kind} takes ${Math.round(heating.watts)} W in the mode ${mode.get(heating.id)}`,
    });
  }

  #starts({ id, startsMs }: Heating): readonly string[] {
    const nowMs = this.#world.clock.monotonicMs();
    while ((startsMs[0] ?? nowMs) < nowMs - HOUR_MS) startsMs.shift();
    if (!this.#calm.wasCalmFor(HOUR_MS, id, "meter", "gateway")) return [];
    // A change of a limit may stop it, and give back what it was asked for.
    const changes = this.#calm.deedsWithin(id, HOUR_MS) + this.#calm.deedsWithin("limits", HOUR_MS);
    if (startsMs.length <= STARTS_AN_HOUR + changes) return [];
    const text = `the heat pump was asked for more ${startsMs.length} times in an hour`;
    startsMs.length = 0;
    return [text];
  }
}
