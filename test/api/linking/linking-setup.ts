/** Opens a gateway whose vendor account has two chargers, and visits its link page. */
import { chargerOptions, type Home, makeHome } from "../../engine/home.ts";
import { type FakeVendors, makeFakeVendors } from "../../engine/linking/fake-vendors.ts";
import { LinkVisit } from "../support/link-visit.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

export const SCOPES = ["charger:control:charging", "charger:read:data"];

export const CREDENTIALS = { username: "anna@example.com", password: "sunshine" };

export interface Linking extends AsyncDisposable {
  readonly house: RealHouse;
  readonly vendors: FakeVendors;
  readonly home: Home;
}

/** A house whose account at the vendors has two chargers. */
export async function openLinking(linking = { maxConnections: 100 }): Promise<Linking> {
  const vendors = makeFakeVendors();
  const home = makeHome(1, { adapters: [vendors.adapter], linking });
  for (const [key, name] of [
    ["c-1", "Garage"],
    ["c-2", "Carport"],
  ] as const) {
    const device = home.add(key, chargerOptions({ vendors: ["EASEE", "SIMULATED"] }));
    delete home.devices[key];
    vendors.account[key] = { device, name };
  }
  const house = await openRealHouse({ home });
  return { house, vendors, home, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

export async function visit(house: RealHouse, change: object = {}): Promise<LinkVisit> {
  const body = {
    vendorType: "charger",
    scopes: SCOPES,
    language: "en-US",
    redirectUri: "myapp://done?state=7",
    ...change,
  };
  const answer = await house.ask({ method: "POST", url: "/users/anna/link", payload: body });
  return await LinkVisit.open(house, answer.json<{ linkUrl: string }>().linkUrl);
}

/** As far as the sign-in of Easee. */
export async function atSignIn(house: RealHouse, change: object = {}): Promise<LinkVisit> {
  const person = await visit(house, { vendor: "EASEE", ...change });
  await person.press();
  await person.press({ scope: SCOPES });
  return person;
}
