/** A gateway on this machine with vendors of a made-up town, and a browser in front of it. */
import type { Adapter } from "../../src/sdk/driver.ts";
import { FakeDevice } from "../../src/testing/fake-adapter.ts";
import { chargerOptions } from "../engine/home.ts";
import { makeTown, type Town } from "../engine/linking/town.ts";
import { openPageHouse, type PageHouse } from "./page-house.ts";

const BRANDS = {
  Wallbox: "WALLBOX",
  "go-e": "GOE",
  Alfen: "ALFEN",
  Ohme: "OHME",
  EVBox: "EVBOX",
  myenergi: "MYENERGI",
};

export type LinkHouse = PageHouse & { readonly town: Town };

/** `more`: adapters beside the town's. */
export async function openLinkHouse(more: readonly Adapter[] = []): Promise<LinkHouse> {
  const town = makeTown(BRANDS, { hasButton: true });
  const house = await openPageHouse((clock) => {
    for (const [key, name] of [
      ["EH-204711", "Garage"],
      ["EH-204712", "Carport"],
    ] as const) {
      const options = chargerOptions({ vendors: ["EASEE", "SIMULATED"], pollMs: 1_000 });
      town.account[key] = { device: new FakeDevice({ ...options, clock }), name };
    }
    return [town.adapter, ...more];
  });
  return { ...house, town };
}
