import type { Firmware, Say } from "./board.ts";

const ROUND_MS = 10_000;

/** openWB 2: retained JSON told when it changes, rounds of 10 s, set topics that are emptied after use. */
export class OpenWbTwin implements Firmware {
  readonly filters = ["openWB/simpleAPI/set/#"];
  readonly ticks = [{ everyMs: ROUND_MS, run: (say: Say): void => this.#round(say) }];
  /** Topics under `openWB/` with their values; a test changes them at will, and they are told with the next round. */
  readonly topics = new Map<string, unknown>([
    ["system/version", "2.1.7"],
    ["bat/config/configured", true],
    ["pv/config/configured", true],
    ["counter/set/home_consumption", 640.5],
    ["bat/get/power", 1_500],
    ["bat/get/soc", 62],
    ["bat/get/imported", 2_000_000],
    ["bat/get/exported", 1_800_000],
    ["pv/get/power", -4_200],
    ["pv/get/exported", 9_876_543.2],
    ["counter/0/get/power", -2_059.5],
    ["counter/0/get/powers", [-700, -659.5, -700]],
    ["counter/0/get/currents", [-3, -2.9, -3.1]],
    ["counter/0/get/voltages", [231, 232, 233]],
    ["counter/0/get/frequency", 49.98],
    ["counter/0/get/imported", 1_000],
    ["counter/0/get/exported", 2_000],
    ["counter/0/get/fault_state", 0],
    ["pv/5/get/power", -4_200],
    ["pv/5/get/exported", 9_876_543.2],
    ["pv/5/get/fault_state", 0],
    ["pv/5/get/fault_str", "Kein Fehler."],
    ["bat/6/get/power", 1_500],
    ["bat/6/get/soc", 62],
    ["bat/6/get/fault_state", 0],
    ...[3, 4].flatMap((id): readonly (readonly [string, unknown])[] => [
      [`chargepoint/${id}/get/power`, 3_680],
      [`chargepoint/${id}/get/imported`, 555_000],
      [`chargepoint/${id}/get/currents`, [16, 0, 0]],
      [`chargepoint/${id}/get/voltages`, [230, 231, 232]],
      [`chargepoint/${id}/get/plug_state`, true],
      [`chargepoint/${id}/get/charge_state`, true],
      [`chargepoint/${id}/get/serial_number`, `4711${id}`],
      [`chargepoint/${id}/get/fault_state`, 0],
      [`chargepoint/${id}/get/connected_vehicle/config`, { chargemode: "pv_charging", priority: false }],
      [`chargepoint/${id}/set/charge_template`, { chargemode: { selected: "pv", instant_charging: { current: 10 } } }],
    ]),
  ]);
  /** False: the service behind the simple API does not run. */
  hasSimpleApi = true;
  readonly #told = new Map<string, string>();
  #now = 1_782_000_000;

  connected(say: Say): void {
    this.#told.clear();
    this.#round(say);
  }

  heard({ topic, text }: { topic: string; text: string }, say: Say): void {
    if (text === "" || !this.hasSimpleApi) return;
    const [, id, key] = /chargepoint\/(\d+)\/(\w+)$/.exec(topic) ?? [];
    if (key === "chargemode") {
      const chargemode = text === "instant" ? "instant_charging" : text;
      this.topics.set(`chargepoint/${id}/get/connected_vehicle/config`, { chargemode, priority: false });
      const power = text === "instant" ? 2_300 : 0;
      this.topics.set(`chargepoint/${id}/get/power`, power);
      this.topics.set(`chargepoint/${id}/get/charge_state`, power > 0);
    } else if (key === "chargecurrent") {
      // It goes to the first chargepoint, whatever the topic says.
      const template = { chargemode: { selected: "instant", instant_charging: { current: Number(text) } } };
      this.topics.set("chargepoint/3/set/charge_template", template);
    }
    say({ topic, text: "", isRetained: true });
  }

  #round(say: Say): void {
    this.#now += ROUND_MS / 1_000;
    this.topics.set("system/time", this.#now);
    for (const [name, value] of this.topics) {
      const text = JSON.stringify(value);
      if (this.#told.get(name) === text) continue;
      this.#told.set(name, text);
      say({ topic: `openWB/${name}`, text, isRetained: true });
    }
  }
}
