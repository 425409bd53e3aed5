/** What a chain finds in the house before its first request, so that what it changes and takes away is there. */
import type { RealHouse } from "../api/support/real-house.ts";
import { harvest } from "./chain.ts";

const LISTS = ["batteries", "chargers", "hvacs", "inverters", "meters", "vehicles", "interventions", "hem-systems"];
const KINDS = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"];

/** Ids by the kind of thing, of a house that a few things were made in. */
export async function seededIds(house: RealHouse): Promise<Map<string, string[]>> {
  const ids = new Map([
    ["user", ["home", "home", "ann"]],
    ["plan", ["latest"]],
    ["cursor", ["2026-06-21T00:00:00Z"]],
    ["tariff", ["day-and-night"]],
  ]);
  const make = async (method: "POST" | "PUT", path: string, payload?: object): Promise<void> => {
    const url = path.replaceAll(/\{(\w+)\}/g, (_all, kind: string) => ids.get(kind)?.[0] ?? "none");
    harvest(ids, path, await house.ask({ method, url, ...(payload !== undefined && { payload }) }));
  };
  for (const kind of LISTS) harvest(ids, `/${kind}`, await house.ask({ url: `/${kind}` }));
  // What the energy manager calls a device is a charger or vehicle.
  ids.set("device", [...(ids.get("charger") ?? []), ...(ids.get("vehicle") ?? [])]);
  const place = { name: "Home", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" };
  await make("POST", "/users/home/locations", place);
  await make("PUT", "/tariffs/day-and-night", [
    { name: "day", cost: "0.31" },
    { name: "night", cost: "0.19" },
  ]);
  await make("POST", "/users/home/schedules", {
    targetType: "charger",
    targetId: ids.get("charger")?.[0],
    locationId: null,
    isEnabled: false,
    defaultShouldCharge: true,
    rules: [],
  });
  await make("POST", "/webhooks", { url: "https://hooks.example/in", secret: "a-secret-of-some-length" });
  await make("POST", "/simulated/vehicles", {
    vendor: "TESLA",
    username: "bea",
    password: "secret",
    name: "Blue",
    model: "Model 3",
    year: 2023,
  });
  for (const kind of KINDS) await make("POST", `/local/simulated/${kind}`, {});
  await make("POST", "/batteries/{battery}/operation-mode", { operationMode: "IMPORT_FOCUS" });
  await make("POST", "/chargers/{charger}/charging", { action: "START" });
  await make("POST", "/vehicles/{vehicle}/charging", { action: "START" });
  await make("POST", "/hvacs/{hvac}/follow-schedule");
  return ids;
}
