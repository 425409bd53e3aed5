/** Which devices the plants of an account have. One request is for all plants, and may be made once a minute. */

import { DAY_MS } from "hemgate/sdk";
import type { CloudSession } from "../kit/connector.ts";
import { fitting, parsed } from "../kit/device/parsed.ts";
import { CloudError, type CloudErrorKind } from "../kit/session/cloud-error.ts";
import { post } from "./northbound.ts";
import { Device, List } from "./schemas.ts";

/** As many as a request may name. */
const MAX_PLANTS = 100;
/** More than an account's plants that are opened; what was asked for longest ago goes first. */
const MAX_KEPT = 1_000;
const REFUSALS: readonly CloudErrorKind[] = ["refused", "forbidden"];
/** Asks whenever the list of a plant is missing. */
const NEVER_FRESH_MS = -1;

interface Known {
  readonly atMs: number;
  readonly devices: readonly Device[];
}

export class PlantDevices {
  readonly #session: CloudSession;
  /** Plants that somebody opens; null: not asked for yet. */
  readonly #plants = new Map<string, Known | null>();
  /** True: the interface refused a list for several plants, of which one may be gone. */
  #isOneByOne = false;

  constructor(session: CloudSession) {
    this.#session = session;
  }

  /** Rejects with a `CloudError`. Fetching one plant also fetches all other pending plants. */
  async of(plant: string, signal: AbortSignal): Promise<readonly Device[]> {
    if (!this.#plants.has(plant)) this.#plants.set(plant, null);
    const [oldest] = this.#plants.keys();
    if (this.#plants.size > MAX_KEPT && oldest !== undefined) this.#plants.delete(oldest);
    const known = this.#fresh(plant);
    if (known !== null) return known;
    const ask = (inner: AbortSignal) => this.#ask(plant, inner);
    await this.#session.shared("devices of plants", NEVER_FRESH_MS, ask, signal);
    // The request that was under way may have begun without this plant.
    if (this.#fresh(plant) === null) await this.#session.shared("devices of plants", NEVER_FRESH_MS, ask, signal);
    return this.#fresh(plant) ?? [];
  }

  #fresh(plant: string): readonly Device[] | null {
    const known = this.#plants.get(plant) ?? null;
    return known !== null && this.#session.clock.monotonicMs() - known.atMs <= DAY_MS ? known.devices : null;
  }

  async #ask(plant: string, signal: AbortSignal): Promise<void> {
    const others = [...this.#plants.keys()].filter((one) => one !== plant && this.#fresh(one) === null);
    const plants = [plant, ...(this.#isOneByOne ? [] : others)].slice(0, MAX_PLANTS);
    const atMs = this.#session.clock.monotonicMs();
    const devices = fitting(Device, await this.#list(plants, signal));
    for (const one of plants) {
      this.#plants.set(one, { atMs, devices: devices.filter(({ stationCode }) => stationCode === one) });
    }
  }

  async #list(plants: readonly string[], signal: AbortSignal): Promise<readonly unknown[]> {
    try {
      const request = post(this.#session.extra, "getDevList", { stationCodes: plants.join(",") });
      return parsed(List, await this.#session.ask(request, signal), "getDevList").data;
    } catch (error) {
      if (plants.length > 1 && error instanceof CloudError && REFUSALS.includes(error.kind)) this.#isOneByOne = true;
      throw error;
    }
  }
}
