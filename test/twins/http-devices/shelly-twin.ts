/** Shelly's devices: RPC with digest SHA-256 (second generation and later), and the first generation with basic. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { DigestGuard } from "./digest-guard.ts";
import { HttpTwin, houseTruth, json, NOT_FOUND, type TwinRequest } from "./http-twin.ts";

/** Phases of the meters: their parts of the total power. */
const SHARES = [0.5, 0.3, 0.2];

export class ShellyRpcTwin extends HttpTwin {
  readonly house = houseTruth();
  /** Of the inputs; null: a button. */
  readonly inputs: (boolean | null)[] = [false, true, null, false];
  readonly #kind: "triphase" | "monophase" | "switch" | "inputs";
  readonly #guard: DigestGuard | null;

  constructor(kind: "triphase" | "monophase" | "switch" | "inputs", password: string | null = null) {
    super();
    this.#kind = kind;
    this.#guard =
      password === null
        ? null
        : new DigestGuard({
            username: "admin",
            password,
            realm: "shellypro3em-aabbccddeeff",
            algorithm: "SHA-256",
            nonceLife: 5,
          });
  }

  protected override answer(asked: TwinRequest): SimWebAnswer {
    const refusal = this.#guard?.refusal(asked) ?? null;
    if (refusal !== null) return refusal;
    if (asked.path === "/rpc/Shelly.GetDeviceInfo") {
      return json({
        id: "shellypro3em-aabbccddeeff",
        mac: "AABBCCDDEEFF",
        app: "Pro3EM",
        gen: 2,
        ver: "1.4.4",
        name: null,
      });
    }
    if (asked.path !== "/rpc/Shelly.GetStatus")
      return json({ code: 404, message: `No handler for ${asked.path}` }, 404);
    return json({ sys: { mac: "AABBCCDDEEFF" }, ...this.#components() });
  }

  #components(): Readonly<Record<string, unknown>> {
    const { grid, pv, produced, imported, exported, frequency } = this.house;
    if (this.#kind === "inputs") {
      return Object.fromEntries(this.inputs.map((state, id) => [`input:${id}`, { id, state }]));
    }
    if (this.#kind === "switch") {
      // Solar behind a plug flows back: negative power, counted in both counters.
      return {
        "switch:0": {
          id: 0,
          output: true,
          apower: -pv,
          voltage: 231.5,
          current: 3.2,
          freq: frequency,
          aenergy: { total: produced + 40, minute_ts: 0 },
          ret_aenergy: { total: produced, minute_ts: 0 },
        },
      };
    }
    if (this.#kind === "monophase") {
      return {
        "em1:0": { id: 0, act_power: 0, voltage: 231.5, current: 0, freq: frequency },
        "em1:1": { id: 1, act_power: grid, voltage: 231.5, current: 3.4, freq: frequency },
        "em1data:1": { id: 1, total_act_energy: imported, total_act_ret_energy: exported },
      };
    }
    const phases = SHARES.map((share, index) => {
      const letter = "abc"[index];
      return [
        [`${letter}_act_power`, grid * share],
        [`${letter}_current`, 2.5],
        [`${letter}_voltage`, 231.5],
        [`${letter}_freq`, frequency],
      ];
    });
    return {
      "em:0": { id: 0, n_current: null, total_act_power: grid, ...Object.fromEntries(phases.flat()) },
      "emdata:0": { id: 0, total_act: imported, total_act_ret: exported },
    };
  }
}

export class ShellyGen1Twin extends HttpTwin {
  readonly house = houseTruth();
  readonly #kind: "3em" | "relay";
  readonly #password: string | null;

  constructor(kind: "3em" | "relay", password: string | null = null) {
    super();
    this.#kind = kind;
    this.#password = password;
  }

  protected override answer({ path, headers }: TwinRequest): SimWebAnswer {
    if (path === "/shelly")
      return json({ type: "SHEM-3", mac: "84CCA8AABBCC", auth: this.#password !== null, fw: "v1.14.0" });
    const wanted = `Basic ${Buffer.from(`admin:${this.#password}`).toString("base64")}`;
    if (this.#password !== null && headers["authorization"] !== wanted) {
      return { status: 401, headers: { "www-authenticate": 'Basic realm="shelly"' }, body: "401 Unauthorized" };
    }
    if (path !== "/status") return NOT_FOUND;
    const { grid, pv, produced, imported, exported } = this.house;
    if (this.#kind === "relay") {
      // Watt-minutes.
      return json({ mac: "84CCA8AABBCC", meters: [{ power: pv, is_valid: true, total: produced * 60 }] });
    }
    const emeters = SHARES.map((share) => ({
      power: grid * share,
      pf: 1,
      current: 2.5,
      voltage: 231.5,
      is_valid: true,
      total: imported * share,
      total_returned: exported * share,
    }));
    return json({ mac: "84CCA8AABBCC", emeters });
  }
}
