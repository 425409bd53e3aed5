/** Commands for one gateway, and what became of them. */
import { expect } from "vitest";
import { ask, type Site } from "./copies.ts";
import type { House } from "./house.ts";
import { until } from "./until.ts";

/** Long enough for all of a run. */
const VALID_SECONDS = 3_600 * 2;

export class Orders {
  readonly #site: Site;
  readonly #house: House;
  /** Ports of the copies that may be there. */
  readonly #ports: () => readonly number[];
  #given = 0;

  constructor(site: Site, house: House, ports: () => readonly number[]) {
    this.#site = site;
    this.#house = house;
    this.#ports = ports;
  }

  /** Gives a command to any copy; the same again where a copy dies before it says that it has it. */
  async give(waitMs: number): Promise<void> {
    this.#given += 1;
    const id = `order-${this.#given}`;
    const order = { id, method: "POST", path: "/orders", body: { command: id }, validSeconds: VALID_SECONDS };
    await until(async () => {
      for (const port of this.#ports()) {
        const answer = await ask({ port }, `/gateways/${this.#house.name}/commands`, order).catch(() => null);
        if (answer?.status === 202) return true;
      }
      return false;
    }, waitMs);
  }

  /** Waits for all answers; each command had its effect once, or, where the gateway died in it, once at most. */
  async expectOnce(waitMs: number): Promise<Readonly<Record<string, number>>> {
    const { database } = this.#site;
    const answers = async (): Promise<ReadonlyMap<string, string>> => {
      const sql = "SELECT id, outcome FROM command WHERE gateway = $1 AND outcome IS NOT NULL";
      const rows = await database.rows<{ id: string; outcome: string }>(sql, [this.#house.name]);
      return new Map(rows.map(({ id, outcome }) => [id, outcome]));
    };
    await until(async () => (await answers()).size === this.#given, waitMs);
    const { effects } = this.#house;
    expect(effects).toEqual([...new Set(effects)]);
    const outcomes: Record<string, number> = {};
    const hadEffect = new Set(effects);
    for (const [id, outcome] of await answers()) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      expect([id, outcome]).toEqual([id, expect.stringMatching(/^(executed|interrupted)$/)]);
      expect(outcome === "interrupted" || hadEffect.has(id), `the effect of ${id}`).toBe(true);
    }
    return outcomes;
  }
}
