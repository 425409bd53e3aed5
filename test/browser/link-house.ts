/** A gateway on this machine with fake vendors, and a browser in front of it. */
import type { Adapter } from "../../src/sdk/driver.ts";
import { FakeDevice } from "../../src/testing/fake-adapter.ts";
import { chargerOptions } from "../engine/home.ts";
import { type FakeVendors, makeFakeVendors } from "../engine/linking/fake-vendors.ts";
import { openPageHouse, type PageHouse } from "./page-house.ts";

const BRANDS = {
  Wallbox: "WALLBOX",
  "go-e": "GOE",
  Alfen: "ALFEN",
  Ohme: "OHME",
  EVBox: "EVBOX",
  myenergi: "MYENERGI",
};

export type LinkHouse = PageHouse & { readonly vendors: FakeVendors };

/** `more`: further adapters. */
export async function openLinkHouse(more: readonly Adapter[] = []): Promise<LinkHouse> {
  const vendors = makeFakeVendors(BRANDS, { hasButton: true });
  const house = await openPageHouse((clock) => {
    for (const [key, name] of [
      ["EH-204711", "Garage"],
      ["EH-204712", "Carport"],
    ] as const) {
      const options = chargerOptions({ vendors: ["EASEE", "SIMULATED"], pollMs: 1_000 });
      vendors.account[key] = { device: new FakeDevice({ ...options, clock }), name };
    }
    return [vendors.adapter, ...more];
  });
  return { ...house, vendors };
}
