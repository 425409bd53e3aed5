import type { Gateway } from "../../gateway.ts";
import type { Clock } from "../../platform/ports/ports.ts";

const LOOK_EVERY_MS = 500;
/** A car on three phases needs 4.1 kW: with a share of the grid it charges under clouds, too. */
const GRID_SHARE = 0.5;
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

/** Lets the house's charger charge from the sun, once it is there; until the signal aborts. */
export async function chargeFromSun(
  { engine, config }: Pick<Gateway, "engine" | "config">,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
): Promise<void> {
  const { energy, locations } = engine.services;
  while (!signal.aborted) {
    const charger = engine.assets.list("charger")[0]?.asset;
    if (charger !== undefined) {
      const home = locations.list(config.site.owner)[0]?.location;
      if (home !== undefined) await locations.assign("charger", charger.id, home.id);
      await energy.setPolicy(charger.id, { mode: "SURPLUS", gridShare: GRID_SHARE });
      return;
    }
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
  }
}
