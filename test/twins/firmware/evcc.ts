import type { Firmware, Say } from "./board.ts";

const INTERVAL_MS = 30_000;
const ROUNDS_A_DAY = 2_880;

/** evcc: plain text, retained; the site each interval, one loadpoint a round, commands on set topics told at once. */
export class EvccTwin implements Firmware {
  readonly will = { topic: "evcc/status", text: "offline", isRetained: true };
  readonly filters = ["evcc/loadpoints/+/+/set"];
  readonly ticks = [{ everyMs: INTERVAL_MS, run: (say: Say): void => this.#round(say) }];
  /** Under `evcc/site/`; a test changes them at will. Discharging is positive, the loadpoints are not at home. */
  readonly site = new Map<string, string>([
    ["version", "0.208.1"],
    ["siteTitle", "Hause"],
    ["grid/power", "-1850.5"],
    ["grid/energy", "4321.125"],
    ["grid/powers/1", "-600.5"],
    ["grid/powers/2", "-650"],
    ["grid/powers/3", "-600"],
    ["grid/currents/1", "-2.6"],
    ["pvPower", "5200"],
    ["pvEnergy", "12345.5"],
    ["batteryPower", "-1500"],
    ["batterySoc", "62"],
    ["batteryCapacity", "10.24"],
    ["homePower", "549.5"],
  ]);
  /** Under `evcc/loadpoints/<n>/`, the first is number 1. */
  readonly loadpoints: readonly Map<string, string>[] = [1, 2].map(
    (number) =>
      new Map([
        ["title", `Garage ${number}`],
        ["mode", number === 1 ? "pv" : "off"],
        ["connected", number === 1 ? "true" : "false"],
        ["charging", number === 1 ? "true" : "false"],
        ["chargePower", number === 1 ? "1300" : "0"],
        ["chargeTotalImport", "812.25"],
        ["sessionEnergy", "2500"],
        ["maxCurrent", "16"],
        ["chargeCurrents/1", number === 1 ? "5.65" : ""],
        ["chargeVoltages/1", number === 1 ? "230" : ""],
      ]),
  );
  #rounds = 0;

  connected(say: Say): void {
    say({ topic: "evcc/status", text: "online", isRetained: true });
    for (const index of this.loadpoints.keys()) this.#tellLoadpoint(index, say);
    this.#tellSite(say);
  }

  heard({ topic, text }: { topic: string; text: string }, say: Say): void {
    const [, number, key = ""] = /loadpoints\/(\d+)\/(\w+)\/set$/.exec(topic) ?? [];
    const loadpoint = this.loadpoints[Number(number) - 1];
    if (loadpoint === undefined || !loadpoint.has(key)) return;
    const isMode = key === "mode" && ["off", "now", "minpv", "pv"].includes(text);
    const isCurrent = key === "maxCurrent" && Number(text) > 0;
    if (!isMode && !isCurrent) return;
    loadpoint.set(key, text);
    say({ topic: `evcc/loadpoints/${number}/${key}`, text, isRetained: true });
    if (!isMode || loadpoint.get("connected") !== "true") return;
    loadpoint.set("charging", String(text === "now"));
    loadpoint.set("chargePower", text === "now" ? "3680" : "0");
  }

  #round(say: Say): void {
    this.#rounds = (this.#rounds + 1) % ROUNDS_A_DAY;
    this.#tellLoadpoint(this.#rounds % this.loadpoints.length, say);
    this.#tellSite(say);
  }

  #tellSite(say: Say): void {
    for (const [key, text] of this.site) say({ topic: `evcc/site/${key}`, text, isRetained: true });
  }

  #tellLoadpoint(index: number, say: Say): void {
    for (const [key, text] of this.loadpoints[index] ?? []) {
      say({ topic: `evcc/loadpoints/${index + 1}/${key}`, text, isRetained: true });
    }
  }
}
