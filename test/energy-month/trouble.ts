/** What breaks in the house, by chance and with a seed: meters, chargers, cars, links. */
import type { FakeDevice } from "../../src/testing/fake-adapter.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { World } from "../../src/testing/world.ts";
import { Tally } from "../long-run/tally.ts";
import type { Calm } from "./calm.ts";
import type { Charging } from "./charging.ts";
import type { House, MeterFault } from "./house.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const LONGEST_MS = 25 * MINUTE_MS;
/** After a trouble has ended: readings come again, commands are repeated, and what waits has to find room. */
const AFTER_MS = 4 * MINUTE_MS;

export class Trouble {
  readonly count = new Tally();
  readonly #world: World;
  readonly #house: House;
  readonly #calm: Calm;
  readonly #random: SeededRandom;

  constructor(world: World, house: House, calm: Calm) {
    this.#world = world;
    this.#house = house;
    this.#calm = calm;
    this.#random = world.random.fork("trouble");
  }

  /** Lets something go wrong. */
  strike(): void {
    const random = this.#random;
    const { meter, battery, panels, chargers, heating } = this.#house;
    const [first, ...rest] = chargers;
    if (first === undefined) return;
    const charging = random.pick([first, ...rest]);
    const heat = heating ?? battery;
    const heatName = heating?.id ?? "battery";
    random.pick<() => void>([
      () => this.#silence(heatName, heat.device),
      () => this.#refuse(heatName, heat.device),
      () => this.#lose(heatName, heat),
      () => this.#refuse("battery", battery.device),
      () => this.#lose("battery", battery),
      () => this.#silence("meter", meter),
      () => this.#silence("battery", battery.device),
      () => this.#silence("panels", panels.device),
      () => this.#silence(charging.spec.id, charging.device),
      () => this.#lie("sign"),
      () => this.#lie("currents"),
      () => this.#lie("frozen"),
      () => this.#car("asleep", charging, () => set(charging, "isAsleep", true)),
      () => this.#car("excess", charging, () => set(charging, "excessA", random.between(3, 8))),
      () => this.#lose(charging.spec.id, charging),
      () => this.#refuse(charging.spec.id, charging.device),
    ])();
  }

  #silence(name: string, device: FakeDevice): void {
    if (!device.isUp) return;
    this.#last(`silent-${name === "wallbox" || name === "carport" ? "charger" : name}`, name, {
      begin: () => {
        device.isUp = false;
      },
      end: () => {
        device.isUp = true;
      },
    });
  }

  #lie(fault: MeterFault): void {
    const house = this.#house;
    if (house.meterFault !== "none") return;
    this.#last(`meter-${fault}`, "meter", {
      begin: () => {
        house.meterFault = fault;
      },
      end: () => {
        house.meterFault = "none";
      },
    });
  }

  #car(what: string, charging: Charging, begin: () => () => void): void {
    let end = (): void => undefined;
    this.#last(what, charging.spec.id, {
      begin: () => {
        end = begin();
      },
      end: () => end(),
    });
  }

  #lose(name: string, device: { isConnected: boolean }): void {
    this.#last("lost-commands", name, {
      begin: () => {
        device.isConnected = false;
      },
      end: () => {
        device.isConnected = true;
      },
    });
  }

  #refuse(name: string, device: FakeDevice): void {
    this.#last("refused-writes", name, {
      begin: () => {
        device.refusesWrites = "not now";
      },
      end: () => {
        device.refusesWrites = null;
      },
    });
  }

  #last(what: string, subject: string, { begin, end }: { begin: () => void; end: () => void }): void {
    const lastsMs = this.#random.between(20 * SECOND_MS, LONGEST_MS);
    this.count.count(what);
    this.#world.events.add("trouble", [what, subject, Math.round(lastsMs / SECOND_MS)]);
    this.#calm.disturb(subject, lastsMs + AFTER_MS);
    begin();
    this.#world.clock.timer(lastsMs, () => {
      end();
      this.#world.events.add("trouble-over", [what, subject]);
    });
  }
}

/** Sets a field, and returns what sets it back. */
function set<K extends "isAsleep" | "excessA">(charging: Charging, field: K, value: Charging[K]): () => void {
  const before = charging[field];
  charging[field] = value;
  return () => {
    charging[field] = before;
  };
}
