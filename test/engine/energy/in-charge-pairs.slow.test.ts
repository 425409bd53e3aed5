/** Who is in charge of a charger or a vehicle when two ask for it, one after the other: every pair, in both orders. */
import { describe, expect, test } from "vitest";
import { errorText } from "../../../src/platform/error-text.ts";
import { makeChargeSchedule } from "../schedules/schedule-house.ts";
import { carHouse } from "./car-house.ts";
import { SECOND } from "./energy-house.ts";

type Kind = "charger" | "vehicle";
type CarHouse = Awaited<ReturnType<typeof carHouse>>;
/** A mode and an override ("charge now") charge; a schedule, smart charging by day and a client's stop do not. */
type Asker = "mode" | "schedule" | "smart" | "override" | "client";

interface Outcome {
  /** The feature in charge. */
  readonly owner: "energy" | "schedule" | "smart-charging" | null;
  /** Who the energy page shows; `null` for a vehicle that the energy manager has nothing to do with. */
  readonly shown: "energy" | "person" | "schedule" | "smart-charging" | null;
  readonly isOn: boolean;
  /** What is still switched on of the two. */
  readonly on: readonly Asker[];
  readonly refusal: string | null;
}

function has(outcome: Omit<Outcome, "refusal">, refusal: string | null = null): Outcome {
  return { ...outcome, refusal };
}

const ENERGY = has({ owner: "energy", shown: "energy", isOn: true, on: ["mode"] });
const SCHEDULE = has({ owner: "schedule", shown: "schedule", isOn: false, on: ["schedule"] });
const SMART = has({ owner: "smart-charging", shown: "smart-charging", isOn: false, on: ["smart"] });
const CAR_POLICY = { isEnabled: true, deadline: "07:00", minimumChargeLimit: 50 } as const;
const REFUSED = "switch it off or use a smart override";

/** Whoever is in charge after the first and then the second have asked. */
const PAIRS: readonly (readonly [Asker, Asker, Outcome])[] = [
  ["mode", "schedule", SCHEDULE],
  ["mode", "smart", SMART],
  ["mode", "override", { ...ENERGY, shown: "person", on: ["mode", "override"] }],
  ["mode", "client", { ...ENERGY, shown: "person", isOn: false }],
  ["schedule", "mode", ENERGY],
  ["schedule", "smart", SMART],
  // The schedule is kept away until the override is over.
  ["schedule", "override", has({ owner: null, shown: "person", isOn: true, on: ["schedule", "override"] })],
  ["schedule", "client", { ...SCHEDULE, refusal: REFUSED }],
  ["smart", "mode", ENERGY],
  ["smart", "schedule", SCHEDULE],
  ["smart", "override", { ...SMART, shown: "person", isOn: true, on: ["smart", "override"] }],
  ["smart", "client", { ...SMART, refusal: REFUSED }],
  ["override", "mode", { ...ENERGY, shown: "person", on: ["mode", "override"] }],
  ["override", "schedule", has({ owner: null, shown: "person", isOn: true, on: ["schedule", "override"] })],
  ["override", "smart", { ...SMART, shown: "person", isOn: true, on: ["smart", "override"] }],
  // A client that stops charging ends the override.
  ["override", "client", has({ owner: null, shown: "person", isOn: false, on: [] })],
  ["client", "mode", ENERGY],
  ["client", "schedule", SCHEDULE],
  ["client", "smart", SMART],
  ["client", "override", has({ owner: null, shown: "person", isOn: true, on: ["override"] })],
];

/** Smart charging of a vehicle is in charge once it has a plan; one that charges now by an override has none. */
const IDLE_SMART: ReadonlySet<Asker> = new Set(["override"]);

/** Returns the outcome for a vehicle: without a mode it is not one of the energy manager's devices. */
function ofVehicle(first: Asker, second: Asker, expected: Omit<Outcome, "refusal">): Omit<Outcome, "refusal"> {
  const shown = expected.on.includes("mode") ? expected.shown : null;
  return { ...expected, shown, owner: second === "smart" && IDLE_SMART.has(first) ? null : expected.owner };
}

/** Returns why it is refused; `null` if it is not. */
async function ask({ house, run, resolve, services, ...ids }: CarHouse, kind: Kind, asker: Asker) {
  const id = kind === "charger" ? ids.chargerId : ids.vehicleId;
  const { energy, schedules, chargerSmart, vehicleSmart, smartOverrides } = services;
  const work = async (): Promise<unknown> => {
    switch (asker) {
      case "mode":
        return await energy.setPolicy(id, { mode: "FAST" });
      case "schedule":
        return await schedules.create("home", makeChargeSchedule({ targetType: kind, targetId: id }));
      case "smart":
        if (kind === "vehicle") return await vehicleSmart.setPolicy(id, CAR_POLICY);
        return await chargerSmart.setPolicy(id, { isEnabled: true, deadline: "07:00", chargingDuration: "02:00" });
      case "override":
        return await smartOverrides.start(kind, id);
      case "client":
        return await run.engine.actions.start(id, { targetType: kind, kind: "STOP" });
      default:
        return asker satisfies never;
    }
  };
  const refusal = await resolve(work().then(() => null, errorText));
  await house.advance(20 * SECOND);
  return refusal;
}

function outcome({ house, run, car, services, chargerId, vehicleId }: CarHouse, kind: Kind): Omit<Outcome, "refusal"> {
  const id = kind === "charger" ? chargerId : vehicleId;
  const { energy, controllers, smartOverrides, chargerSmart, vehicleSmart } = services;
  const isSmart = (kind === "charger" ? chargerSmart.policy(id) : vehicleSmart.policy(id)).isEnabled;
  const isOn: Record<Asker, boolean> = {
    mode: energy.policy(id) !== null,
    schedule: run.store.all("schedule").some(({ schedule }) => schedule.isEnabled),
    smart: isSmart,
    override: smartOverrides.active(id) !== null,
    client: false,
  };
  return {
    owner: controllers.inChargeOf(id) as Outcome["owner"],
    shown: (energy.state().devices.find((device) => device.id === id)?.inCharge ?? null) as Outcome["shown"],
    isOn: (kind === "charger" ? house.charger.values["charger.enabled"] : car.values["vehicle.enabled"]) === true,
    on: (["mode", "schedule", "smart", "override"] as const).filter((asker) => isOn[asker]),
  };
}

describe.each(["charger", "vehicle"] as const)("who is in charge of a %s", (kind) => {
  test.each(PAIRS)("after %s and then %s have asked", async (first, second, { refusal, ...expected }) => {
    const opened = await carHouse();
    expect(await ask(opened, kind, first)).toBeNull();
    const answer = await ask(opened, kind, second);
    if (refusal === null) expect(answer).toBeNull();
    else expect(answer).toContain(refusal);
    expect(outcome(opened, kind)).toEqual(kind === "vehicle" ? ofVehicle(first, second, expected) : expected);
    await opened.run.close();
  });
});
