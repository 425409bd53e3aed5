/** Somebody who changes schedules, policies, prices and their mind, by chance and with a seed. */

import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { Answer, ApiClient } from "../long-run/api-client.ts";
import { field } from "../long-run/json-fields.ts";
import { HOME } from "./house.ts";

export interface Ids {
  readonly car: string;
  readonly wallbox: string;
  readonly heatPump: string;
  readonly battery: string;
  readonly location: string;
}

/** What a request was about, for the checks. */
export interface Deed {
  readonly targetId: string | null;
  readonly isCommand: boolean;
  readonly answer: Answer;
  readonly what: string;
}

const TARIFF = "month";
const TIMES = ["00:00", "01:30", "02:30", "05:00", "07:15", "12:00", "16:45", "21:00", "23:30"] as const;
const COSTS = ["-0.02", "0.08", "0.19", "0.31", "0.42"] as const;
/** What the API may say to a resident who tries everything. */
const FAIR = new Set([200, 201, 204, 400, 404, 409, 422]);

export class Resident {
  readonly #client: ApiClient;
  readonly #random: SeededRandom;
  readonly #schedules = new Map<string, string>();
  #ids: Ids | null = null;
  #lastAction: string | null = null;

  constructor(client: ApiClient, random: SeededRandom) {
    this.#client = client;
    this.#random = random;
  }

  get ids(): Ids {
    if (this.#ids === null) throw new Error("the resident has not moved in");
    return this.#ids;
  }

  /** Makes a location with prices and puts what cannot say where it is there. */
  async moveIn(): Promise<void> {
    const one = async (kind: string): Promise<string> => {
      const page = await this.#client.ask("GET", `/${kind}`);
      return String(field(field(page?.body, "data", "0"), "id"));
    };
    const location = await this.#client.ask("POST", "/users/home/locations", {
      name: "Home",
      timezoneName: "Europe/Berlin",
      ...HOME,
    });
    this.#ids = {
      car: await one("vehicles"),
      wallbox: await one("chargers"),
      heatPump: await one("hvacs"),
      battery: await one("batteries"),
      location: String(field(location?.body, "id")),
    };
    await this.#client.ask("PUT", `/chargers/${this.ids.wallbox}`, { locationId: this.ids.location });
    await this.#client.ask("PUT", `/hvacs/${this.ids.heatPump}`, { locationId: this.ids.location });
    await this.#prices();
  }

  /** Does one thing. Null: there was no gateway to ask. */
  async act(): Promise<Deed | null> {
    const { car, wallbox, heatPump, battery } = this.ids;
    const random = this.#random;
    const deeds: readonly [() => Promise<Deed | null>, ...(() => Promise<Deed | null>)[]] = [
      () => this.#schedule("vehicle", car),
      () => this.#schedule("charger", wallbox),
      () => this.#schedule("hvac", heatPump),
      () => this.#deed(car, "PUT", `/vehicles/${car}/smart-charging-policy`, this.#vehiclePolicy()),
      () => this.#deed(wallbox, "PUT", `/chargers/${wallbox}/smart-charging-policy`, this.#chargerPolicy()),
      () => this.#deed(heatPump, "PUT", `/hvacs/${heatPump}/smart-policy`, { isEnabled: random.isChance(0.5) }),
      () => this.#override("vehicles", car),
      () => this.#override("chargers", wallbox),
      () => this.#command(car, `/vehicles/${car}/charging`, { action: random.pick(["START", "STOP"]) }),
      () => this.#command(wallbox, `/chargers/${wallbox}/charging`, { action: random.pick(["START", "STOP"]) }),
      () => this.#command(heatPump, `/hvacs/${heatPump}/permanent-hold`, { mode: "HEAT", heatSetpoint: 21 }),
      () => this.#command(battery, `/batteries/${battery}/operation-mode`, { operationMode: "IDLE" }),
      () => this.#prices(),
      () => this.#cancel(),
    ];
    return await random.pick(deeds)();
  }

  async #schedule(targetType: "vehicle" | "charger" | "hvac", targetId: string): Promise<Deed | null> {
    const random = this.#random;
    const known = this.#schedules.get(targetId);
    if (known !== undefined && random.isChance(0.15)) {
      this.#schedules.delete(targetId);
      return await this.#deed(targetId, "DELETE", `/schedules/${known}`);
    }
    if (known !== undefined && random.isChance(0.6)) {
      return await this.#deed(targetId, "PUT", `/schedules/${known}`, { isEnabled: random.isChance(0.6) });
    }
    const fields = targetType === "hvac" ? this.#temperatureFields() : this.#chargeFields();
    if (known !== undefined) return await this.#deed(targetId, "PUT", `/schedules/${known}`, fields);
    const isPlaced = targetType !== "hvac";
    const place = isPlaced ? { locationId: random.isChance(0.5) ? this.ids.location : null } : {};
    const body = { targetType, targetId, isEnabled: random.isChance(0.8), ...place, ...fields };
    const deed = await this.#deed(targetId, "POST", "/users/home/schedules", body);
    if (deed?.answer.status === 200) this.#schedules.set(targetId, String(field(deed.answer.body, "id")));
    return deed;
  }

  #filters(): object {
    const random = this.#random;
    const weekdays = { weekdays: [0, 1, 2, 3, 4, 5, 6].filter(() => random.isChance(0.7)) };
    const times = { hourMinute: { from: random.pick(TIMES), to: random.pick(TIMES) } };
    return {
      ...(random.isChance(0.9) && times),
      ...(weekdays.weekdays.length > 0 && random.isChance(0.4) && weekdays),
    };
  }

  #chargeFields(): object {
    const random = this.#random;
    const rules = [1, 2, 3]
      .slice(random.below(3))
      .map(() => ({ ...this.#filters(), shouldCharge: random.isChance(0.5) }));
    return { defaultShouldCharge: random.isChance(0.5), rules };
  }

  #temperatureFields(): object {
    const random = this.#random;
    const target = (): object =>
      random.isChance(0.3)
        ? { holdType: "SCHEDULED" }
        : { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 18 + random.below(5) };
    return { defaultTargetState: target(), rules: [{ ...this.#filters(), targetState: target() }] };
  }

  #vehiclePolicy(): object {
    const random = this.#random;
    return {
      isEnabled: random.isChance(0.7),
      deadline: random.pick(["06:30", "07:00", "15:00"]),
      minimumChargeLimit: random.pick([0, 20, 40]),
    };
  }

  #chargerPolicy(): object {
    const random = this.#random;
    return {
      isEnabled: random.isChance(0.7),
      deadline: random.pick(["06:00", "07:30"]),
      chargingDuration: random.pick(["01:00", "02:30", "05:00"]),
    };
  }

  async #override(plural: string, id: string): Promise<Deed | null> {
    const method = this.#random.isChance(0.6) ? "POST" : "DELETE";
    return await this.#deed(id, method, `/${plural}/${id}/smart-override`);
  }

  /** New prices; now and then some hours have none. */
  async #prices(): Promise<Deed | null> {
    const random = this.#random;
    const rates = ["night", "day"].map((name) => ({ name, cost: random.pick(COSTS) }));
    await this.#client.ask("PUT", `/tariffs/${TARIFF}`, rates);
    const day = random.isChance(0.4) ? { from: "09:00", to: "21:00" } : { from: "06:00", to: "24:00" };
    const tariffIntervals = [
      { name: "night", from: "00:00", to: "06:00" },
      { name: "day", ...day },
    ];
    const url = `/locations/${this.ids.location}/tariff`;
    return await this.#deed(null, "PUT", url, { tariffId: TARIFF, tariffIntervals });
  }

  async #command(targetId: string, url: string, body: object): Promise<Deed | null> {
    const deed = await this.#deed(targetId, "POST", url, body, true);
    const id = field(deed?.answer.body, "id");
    if (deed?.answer.status === 200 && typeof id === "string") this.#lastAction = `/${url.split("/")[1]}/actions/${id}`;
    return deed;
  }

  async #cancel(): Promise<Deed | null> {
    return this.#lastAction === null ? null : await this.#deed(null, "POST", `${this.#lastAction}/cancel`);
  }

  async #deed(
    targetId: string | null,
    method: "POST" | "PUT" | "DELETE",
    url: string,
    body?: object,
    isCommand = false,
  ): Promise<Deed | null> {
    const answer = await this.#client.ask(method, url, body);
    return answer === null ? null : { targetId, isCommand, answer, what: `${method} ${url} ${JSON.stringify(body)}` };
  }

  /** True for an answer that a resident may get. */
  static isFair(status: number): boolean {
    return FAIR.has(status);
  }
}
