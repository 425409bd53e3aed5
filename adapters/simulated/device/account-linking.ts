import type { LinkableVendor, LinkStep, LinkTurn, Random, SimulatedDevice } from "hemgate/sdk";
import { serialOf } from "./serial.ts";
import type { Simulation } from "./simulation.ts";

export interface SignInContext {
  readonly simulation: Simulation;
  readonly random: Pick<Random, "scrypt">;
  readonly vendors: readonly LinkableVendor[];
}

/** Signs in to a made-up account, and answers the devices that hang on it. */
export async function signIn(step: LinkStep, { simulation, random, vendors }: SignInContext): Promise<LinkTurn> {
  const vendor = vendors.find(({ id }) => id === step.vendorId)?.vendors[0];
  if (vendor === undefined || step.answer.kind !== "form") return { kind: "refused", why: "unavailable" };
  const { username = "", password = "" } = step.answer.values;
  const named = simulation.withAccountAt(vendor).filter(({ account }) => account?.username === username);
  const devices: SimulatedDevice[] = [];
  for (const device of named) if (await isPassword(device, password, random)) devices.push(device);
  if (devices.length === 0) return { kind: "refused", why: "invalid-credentials" };
  return {
    kind: "found",
    devices: devices.map((device) => ({
      key: device.id,
      vendorTypes: [device.kind],
      name: device.name,
      model: device.model,
      detail: serialOf(device),
      options: simulation.optionsFor(device.id),
    })),
  };
}

async function isPassword(device: SimulatedDevice, password: string, random: Pick<Random, "scrypt">): Promise<boolean> {
  if (device.account === null) return false;
  const hash = await random.scrypt(password, Buffer.from(device.account.salt, "base64url"));
  return Buffer.from(hash).toString("base64url") === device.account.passwordHash;
}
