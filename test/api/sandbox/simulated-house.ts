/** Made-up devices over HTTP. */
import type { RealHouse } from "../support/real-house.ts";
import { send } from "../support/sandbox-house.ts";

export const SECOND = 1_000;

export const MINUTE = 60 * SECOND;

export const HOUR = 60 * MINUTE;

export const PLURALS = {
  battery: "batteries",
  charger: "chargers",
  hvac: "hvacs",
  inverter: "inverters",
  meter: "meters",
  vehicle: "vehicles",
} as const;

export type Kind = keyof typeof PLURALS;

export async function make(house: RealHouse, kind: Kind, fields: object = {}) {
  const made = await send(house, "POST", `/local/simulated/${kind}`, { userId: "ann", ...fields });
  await house.pass(6 * SECOND);
  return made;
}

export function asset(house: RealHouse, kind: Kind, id: string) {
  return send(house, "GET", `/${PLURALS[kind]}/${id}`);
}
