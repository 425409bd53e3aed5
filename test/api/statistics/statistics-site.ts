/** A site whose charger and inverter are counted over days. */
import { expect } from "vitest";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { chargerOptions, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

export const MINUTE_MS = 60_000;

export interface Site {
  readonly house: RealHouse;
  readonly charger: FakeDevice;
  readonly inverter: FakeDevice;
  readonly ids: { readonly charger: string; readonly inverter: string };
  /** The charger gives this power for a time, without a counter. */
  charge(powerW: number, minutes: number): Promise<void>;
  get<Body>(url: string, query?: Readonly<Record<string, string>>): Promise<Body>;
}

/** A charger and an inverter that are read once a minute, from 2026-06-21T00:00Z on. */
export async function openSite(): Promise<Site> {
  const home = makeHome();
  const { controls: _controls, ...asCharger } = chargerOptions();
  const charger = home.add("charger", { ...asCharger, pollMs: MINUTE_MS });
  const inverter = home.add("inverter", { values: { "inverter.power": 0 }, pollMs: MINUTE_MS });
  const house = await openRealHouse({ home });
  await house.pass(2 * MINUTE_MS);
  const idOf = async (kind: string): Promise<string> => {
    const list = (await house.ask({ method: "GET", url: `/${kind}` })).json<{ data: { id: string }[] }>();
    return list.data[0]!.id;
  };
  const get = async <Body>(url: string, query: Readonly<Record<string, string>> = {}): Promise<Body> => {
    const answer = await house.ask({ method: "GET", url, query });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<Body>();
  };
  return {
    house,
    charger,
    inverter,
    ids: { charger: await idOf("chargers"), inverter: await idOf("inverters") },
    charge: async (powerW, minutes) => {
      charger.show("charger.power", powerW);
      charger.show("charger.state", powerW > 0 ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED");
      await house.pass(minutes * MINUTE_MS);
    },
    get,
  };
}

export const START = "2026-06-21T00:00:00Z";
