/** Opens a gateway whose vendor account has one charger, links it, and visits the link page. */
import { chargerOptions, makeHome } from "../../engine/home.ts";
import { type FakeVendors, makeFakeVendors } from "../../engine/linking/fake-vendors.ts";
import { LinkVisit } from "../support/link-visit.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

export const SCOPES = ["charger:control:charging", "charger:read:data"];

export const CREDENTIALS = { username: "anna@example.com", password: "sunshine" };

export interface Linking extends AsyncDisposable {
  readonly house: RealHouse;
  readonly vendors: FakeVendors;
}

export async function openLinking(): Promise<Linking> {
  const vendors = makeFakeVendors();
  const home = makeHome(1, { adapters: [vendors.adapter] });
  vendors.account["c-1"] = {
    device: home.add("c-1", chargerOptions({ vendors: ["EASEE", "SIMULATED"] })),
    name: "Garage",
  };
  delete home.devices["c-1"];
  const house = await openRealHouse({ home });
  return { house, vendors, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

export async function linkUrl(house: RealHouse, change: object = {}): Promise<string> {
  const body = {
    vendor: "EASEE",
    vendorType: "charger",
    scopes: SCOPES,
    language: "en-US",
    redirectUri: "myapp://done?x=1#part",
    ...change,
  };
  const answer = await house.ask({ method: "POST", url: "/users/anna/link", payload: body });
  return answer.json<{ linkUrl: string }>().linkUrl;
}

export async function visit(house: RealHouse, change: object = {}): Promise<LinkVisit> {
  return await LinkVisit.open(house, await linkUrl(house, change));
}

/** Signs in and links the charger, in a session of its own. */
export async function linkCharger(house: RealHouse): Promise<{ readonly id: string; readonly url: string }> {
  const url = await linkUrl(house);
  const person = await LinkVisit.open(house, url);
  await person.press();
  await person.press({ scope: SCOPES });
  await person.press(CREDENTIALS);
  await person.press({ device: "c-1" });
  await house.pass(5_000);
  const { data } = (await house.ask({ url: "/users/anna/chargers" })).json<{ data: { id: string }[] }>();
  return { id: data[0]?.id ?? "", url };
}
