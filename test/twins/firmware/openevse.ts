import type { Firmware, FirmwareMessage, Say } from "./board.ts";

const EVERY_MS = 30_000;
const MANUAL_STATES: Readonly<Record<string, number>> = { active: 3, disabled: 254 };

interface Wish {
  readonly state?: string;
  readonly charge_current?: number;
  readonly auto_release?: boolean;
}

/** An OpenEVSE charger: states each 30 s, claims and overrides as retained JSON, an announcement as its will. */
export class OpenEvseTwin implements Firmware {
  readonly will: FirmwareMessage;
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: EVERY_MS, run: (say: Say): void => this.#publish(say) }];
  state = 3;
  hasVehicle = true;
  milliampere = 15_900;
  powerW = 3_657;
  /** What the pilot offers when nobody claims anything, A. */
  defaultA = 32;
  claim: Wish | null = null;
  override: Wish | null = null;
  /** Which names its energies have: those since firmware 4.1, those before, or both. */
  names: "new" | "old" | "both" = "new";
  /** True: it does not hear commands. */
  isDeaf = false;
  /** True: firmware that drops the parts of a claim which are not named again. */
  isForgetful = false;
  readonly #topic: string;

  constructor(topic: string) {
    this.#topic = topic;
    this.will = { topic: "openevse/announce/7b2c", text: this.#announcement("disconnected"), isRetained: true };
    this.filters = [`${topic}/claim/set`, `${topic}/override/set`];
  }

  connected(say: Say): void {
    say({ topic: "openevse/announce/7b2c", text: this.#announcement("connected"), isRetained: true });
    this.#wishes(say);
    this.#publish(say);
  }

  heard({ topic, text }: { topic: string; text: string }, say: Say): void {
    if (this.isDeaf) return;
    const isClaim = topic.endsWith("/claim/set");
    const before = isClaim ? this.claim : this.override;
    const wish =
      text === "release" || text === "clear" ? null : { ...(!this.isForgetful && before), ...JSON.parse(text) };
    if (isClaim) this.claim = wish;
    else this.override = wish;
    const state = this.override?.state ?? this.claim?.state ?? "active";
    if (this.hasVehicle) this.state = MANUAL_STATES[state] ?? this.state;
    this.#wishes(say);
  }

  #announcement(state: string): string {
    const http = "http://192.168.1.43/";
    return JSON.stringify({ state, id: "c44f330d7b2c", name: "openevse-7b2c", mqtt: this.#topic, http });
  }

  #wishes(say: Say): void {
    for (const [name, wish] of [
      ["claim", this.claim],
      ["override", this.override],
    ] as const) {
      const text = JSON.stringify(wish ?? { state: "null" });
      say({ topic: `${this.#topic}/${name}`, text, isRetained: true });
    }
  }

  #publish(say: Say): void {
    const isActive = (this.override?.state ?? this.claim?.state ?? "active") === "active";
    const values: Readonly<Record<string, number | string>> = {
      amp: isActive ? this.milliampere : 0,
      voltage: 230,
      power: isActive ? this.powerW : 0,
      pilot: this.override?.charge_current ?? this.claim?.charge_current ?? this.defaultA,
      max_current: 32,
      temp: "false",
      state: this.state,
      status: isActive ? "active" : "disabled",
      vehicle: this.hasVehicle ? 1 : 0,
      ...(this.names !== "new" && { wattsec: 2_345 * 3_600, wh: 987_654 }),
      ...(this.names !== "old" && { session_energy: 2_345, total_energy: 987.654 }),
      session_elapsed: 1_800,
    };
    for (const [name, value] of Object.entries(values)) say({ topic: `${this.#topic}/${name}`, text: String(value) });
  }
}
