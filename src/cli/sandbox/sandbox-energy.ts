import type { EnergyPolicyUpdate } from "../../domain/energy/energy-policy.ts";
import type { Gateway } from "../../gateway.ts";
import type { Clock } from "../../platform/ports/ports.ts";

const LOOK_EVERY_MS = 500;
/** Who tries the sandbox waits for less than a minute until a car follows the sun. */
const SUN_RULE = { minA: null, startExportW: null, stopImportW: null, delayMs: 20_000 } as const;
const TARIFF = "sandbox";

/** Prices by night and by day, EUR/kWh, so that costs, smart charging and plans have something to go by. */
const RATES = [
  { name: "night", cost: "0.22" },
  { name: "day", cost: "0.34" },
] as const;
const HOURS = [
  { name: "night", from: "00:00", to: "06:00" },
  { name: "day", from: "06:00", to: "22:00" },
  { name: "night", from: "22:00", to: "24:00" },
] as const;

/** Gives the home of the sandbox's user prices. Does nothing where the user has a location. */
export async function priceHome({ engine, config }: Pick<Gateway, "engine" | "config">): Promise<void> {
  const { owner, place, timezone } = config.site;
  const { locations, tariffs } = engine.services;
  if (place === undefined || locations.list(owner).length > 0) return;
  await tariffs.put(TARIFF, [...RATES]);
  const home = await locations.create(owner, { name: "Home", ...place, timezoneName: timezone });
  await tariffs.link(home.id, { tariffId: TARIFF, tariffIntervals: [...HOURS] });
}

interface SunUser {
  readonly kind: "charger" | "hvac";
  /** Of its device in the configuration. */
  readonly deviceId: string;
  readonly policy: EnergyPolicyUpdate;
}

/** The cars before the heating rod, which takes what is left over. */
const SUN_USERS: readonly SunUser[] = [
  { kind: "charger", deviceId: "charger", policy: { mode: "SURPLUS", priority: 40 } },
  { kind: "charger", deviceId: "second-charger", policy: { mode: "SURPLUS", priority: 50 } },
  { kind: "hvac", deviceId: "heater", policy: { mode: "SURPLUS", priority: 60 } },
];

/** Lets the cars and the heating rod take the sun, each once it is there, and the plan set the battery; until the signal aborts. */
export async function useOwnSun(
  { engine, config }: Pick<Gateway, "engine" | "config">,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
): Promise<void> {
  const { energy, locations } = engine.services;
  await energy.setBatteryUse({ isPlanned: true });
  let waiting = SUN_USERS;
  while (!signal.aborted && waiting.length > 0) {
    const home = locations.list(config.site.owner)[0]?.location;
    const found = waiting.flatMap((user) => {
      const device = engine.devices().find(({ id }) => id === user.deviceId);
      const asset = device?.assets.find(({ kind }) => kind === user.kind);
      return asset === undefined ? [] : [{ user, assetId: asset.id }];
    });
    for (const { user, assetId } of found) {
      if (home !== undefined) await locations.assign(user.kind, assetId, home.id);
      await energy.setPolicy(assetId, user.policy);
      if (user.kind === "charger") await energy.setSurplusRule(assetId, SUN_RULE);
    }
    waiting = waiting.filter((user) => found.every((each) => each.user !== user));
    if (waiting.length > 0) await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
  }
}
