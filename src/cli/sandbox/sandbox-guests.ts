import { NewSimulated } from "../../domain/sandbox/simulated-request.ts";
import type { Gateway } from "../../gateway.ts";

/** The account that the welcome names, for trying the link page. It opens nothing but a made-up car. */
export const DEMO_ACCOUNT = { username: "demo", password: "demo" } as const;

/**
 * Makes up what the Modbus house lacks: a car and a heat pump of the home's user, and a car that nobody has linked yet.
 * Only where there is no made-up device at all: the caller does so before the first start is over.
 */
export async function inviteGuests({ engine, config }: Pick<Gateway, "engine" | "config">): Promise<void> {
  const { simulated } = engine.services;
  if (simulated === null || (["vehicle", "hvac"] as const).some((kind) => simulated.list(kind).length > 0)) return;
  const { owner, place } = config.site;
  const location = place ?? null;
  const car = { state: { isPluggedIn: true, batteryLevel: 42 }, location };
  await Promise.all([
    simulated.create("vehicle", NewSimulated.parse({ ...car, userId: owner, name: "Family car", model: "Hatchback" })),
    simulated.create(
      "hvac",
      NewSimulated.parse({ userId: owner, name: "Heat pump", category: "HEAT_PUMP", groupName: "House", location }),
    ),
    simulated.create("vehicle", NewSimulated.parse({ ...car, ...DEMO_ACCOUNT, name: "Guest's car", model: "Van" })),
  ]);
}
