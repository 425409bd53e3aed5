/** Tasmota's web commands: name and password in the query, a warning in place of an answer without them. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { HttpTwin, houseTruth, json, NOT_FOUND, type TwinRequest } from "./http-twin.ts";

export class TasmotaTwin extends HttpTwin {
  readonly house = houseTruth();
  readonly #kind: "plug" | "two-channels" | "reader";
  readonly #password: string | null;

  constructor(kind: "plug" | "two-channels" | "reader", password: string | null = null) {
    super();
    this.#kind = kind;
    this.#password = password;
  }

  protected override answer({ path, query }: TwinRequest): SimWebAnswer {
    if (path !== "/cm") return NOT_FOUND;
    const isKnown = query.get("user") === "admin" && query.get("password") === this.#password;
    if (this.#password !== null && !isKnown) {
      return json({ WARNING: "Need user=<username>&password=<password>" }, 401);
    }
    const command = query.get("cmnd");
    if (command === "Status 2") return json({ StatusFWR: { Version: "14.2.0(tasmota32)" } });
    if (command === "Status 5") return json({ StatusNET: { Hostname: "plug-7", Mac: "DC:54:75:AA:BB:CC" } });
    if (command === "Module") return json({ Module: { 0: "Nous A1T" } });
    return command === "Status 8" ? json({ StatusSNS: this.#sensors() }) : json({ Command: "Unknown" });
  }

  #sensors(): unknown {
    const { grid, imported, exported } = this.house;
    const kwh = { in: imported / 1_000, out: exported / 1_000 };
    if (this.#kind === "reader") return { SML: { Power_curr: grid, Total_in: kwh.in, Total_out: kwh.out } };
    if (this.#kind === "plug") return { ENERGY: { Power: grid, Voltage: 231.5, Total: kwh.in, Current: 3.2 } };
    return { ENERGY: { Power: [grid - 34, 34], Voltage: 231.5, Total: [kwh.in - 1, 1], Current: [3, 0.2] } };
  }
}
