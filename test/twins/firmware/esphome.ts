import type { Firmware, FirmwareMessage, Say } from "./board.ts";

/** A sensor, number or switch of a node. */
export interface EsphomeEntity {
  readonly component: "sensor" | "number" | "switch";
  readonly objectId: string;
  readonly unit?: string;
  readonly deviceClass?: string;
  state: string;
}

/** An ESPHome node over MQTT: plain states once a minute, discovery in abbreviations, an answer to a ping. */
export class EsphomeTwin implements Firmware {
  readonly will: FirmwareMessage;
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: 60_000, run: (say: Say): void => this.#publish(say) }];
  readonly entities: EsphomeEntity[];
  /** False: `discovery: false` in its configuration. */
  hasDiscovery = true;
  /** True: it is connected, and does nothing. */
  isHung = false;
  /** True: it takes no command. */
  isLocked = false;
  readonly #node: string;

  constructor(node: string, entities: EsphomeEntity[]) {
    this.#node = node;
    this.entities = entities;
    this.will = { topic: `${node}/status`, text: "offline", isRetained: true };
    this.filters = [`${node}/+/+/command`, `esphome/ping/${node}`, "esphome/discover"];
  }

  connected(say: Say): void {
    say({ topic: `${this.#node}/status`, text: "online", isRetained: true });
    if (this.hasDiscovery) for (const entity of this.entities) this.#announce(entity, say);
    this.#publish(say);
  }

  heard({ topic, text }: { topic: string; text: string }, say: Say): void {
    if (this.isHung) return;
    if (topic.startsWith("esphome/")) {
      const told = {
        ip: "10.0.0.40",
        name: this.#node,
        port: 6053,
        version: "2026.6.0",
        mac: "c8c9a3aabbcc",
        board: "esp32dev",
      };
      say({ topic: `esphome/discover/${this.#node}`, text: JSON.stringify(told), isRetained: true });
      return;
    }
    const [, component, objectId] = topic.split("/");
    const entity = this.entities.find((each) => each.component === component && each.objectId === objectId);
    if (entity === undefined || this.isLocked) return;
    entity.state = text;
    this.#state(entity, say);
  }

  #announce({ component, objectId, unit, deviceClass }: EsphomeEntity, say: Say): void {
    const base = `${this.#node}/${component}/${objectId}`;
    const config = {
      ...(unit !== undefined && { unit_of_meas: unit }),
      ...(deviceClass !== undefined && { dev_cla: deviceClass }),
      ...(component === "number" && { min: 0, max: 100, step: 1 }),
      ...(component !== "sensor" && { cmd_t: `${base}/command` }),
      name: objectId.replaceAll("_", " "),
      stat_t: `${base}/state`,
      avty_t: `${this.#node}/status`,
      uniq_id: `ESP${component}${objectId}`,
      dev: { ids: "c8c9a3aabbcc", name: this.#node, sw: "esphome v2026.6.0", mdl: "esp32dev", mf: "Espressif" },
    };
    const topic = `homeassistant/${component}/${this.#node}/${objectId}/config`;
    say({ topic, text: JSON.stringify(config), isRetained: true });
  }

  #publish(say: Say): void {
    if (!this.isHung) for (const entity of this.entities) this.#state(entity, say);
  }

  #state({ component, objectId, state }: EsphomeEntity, say: Say): void {
    say({ topic: `${this.#node}/${component}/${objectId}/state`, text: state, isRetained: true });
  }
}
