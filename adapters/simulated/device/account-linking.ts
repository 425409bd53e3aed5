import type { LinkableVendor, LinkField, LinkOutcome, LinkStep, Random, SimulatedDevice } from "hemgate/sdk";
import { serialOf } from "./serial.ts";
import type { Simulation } from "./simulation.ts";

export interface SignInContext {
  readonly simulation: Simulation;
  readonly random: Pick<Random, "scrypt">;
  readonly vendors: readonly LinkableVendor[];
}

const CODE: readonly LinkField[] = [{ name: "code", kind: "code" }];

/** The password was right; the code is still to come. */
class CodeAsked {
  readonly devices: readonly SimulatedDevice[];

  constructor(devices: readonly SimulatedDevice[]) {
    this.devices = devices;
  }
}

/** Signs in to a made-up account, and answers the devices that hang on it. */
export async function signIn(step: LinkStep, context: SignInContext): Promise<LinkOutcome> {
  const vendor = context.vendors.find(({ id }) => id === step.vendorId)?.vendors[0];
  if (vendor === undefined || step.answer.kind !== "form") return { kind: "refused", why: "unavailable" };
  const { username = "", password = "", code = "" } = step.answer.values;
  if (step.memo instanceof CodeAsked) {
    const isRight = step.memo.devices.every(({ account }) => (account?.secondFactor ?? code) === code);
    return isRight ? found(step.memo.devices, context) : { kind: "refused", why: "failed-auth-challenge" };
  }
  const named = context.simulation.withAccountAt(vendor).filter(({ account }) => account?.username === username);
  const devices: SimulatedDevice[] = [];
  for (const device of named) if (await isPassword(device, password, context.random)) devices.push(device);
  if (devices.length === 0) return { kind: "refused", why: "invalid-credentials" };
  const isCodeRequired = devices.some(({ account }) => account?.secondFactor !== undefined);
  return isCodeRequired ? { kind: "ask", fields: CODE, memo: new CodeAsked(devices) } : found(devices, context);
}

function found(devices: readonly SimulatedDevice[], { simulation }: SignInContext): LinkOutcome {
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
