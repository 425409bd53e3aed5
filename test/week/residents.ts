/** People who tell batteries, chargers and heat pumps what to do, over the API and over MQTT, by chance and with a seed. */
import type { MemoryBroker, SeededRandom, World } from "hemgate/testing";
import type { ApiClient } from "../long-run/api-client.ts";
import type { GatewayBox } from "../long-run/gateway-box.ts";
import type { Mishaps } from "./mishaps.ts";

const MODES = ["IMPORT_FOCUS", "EXPORT_FOCUS", "SELF_RELIANCE", "IDLE"] as const;
const CURRENTS_A = [6, 8, 10, 13, 16] as const;
/** What the API may say to somebody who tries everything. */
const FAIR = new Set([200, 400, 404, 409, 422, 429]);
const KINDS = ["battery", "charger", "charger", "hvac"] as const;
const PATHS = { battery: "batteries", charger: "chargers", hvac: "hvacs" } as const;

interface Wish {
  readonly path: string;
  readonly body: object;
  /** The same over MQTT. */
  readonly setting: string;
  readonly payload: string;
}

interface ResidentParts {
  readonly world: World;
  readonly box: GatewayBox;
  readonly client: ApiClient;
  readonly broker: MemoryBroker;
  readonly mishaps: Pick<Mishaps, "mayRefuse">;
}

export class Residents {
  /** How many commands went which way, and how many of them were refused. */
  readonly counts = { api: 0, mqtt: 0, refused: 0 };
  readonly #parts: ResidentParts;
  readonly #random: SeededRandom;

  constructor(parts: ResidentParts) {
    this.#parts = parts;
    this.#random = parts.world.random.fork("residents");
  }

  /** Tells one device one thing. */
  async act(): Promise<readonly string[]> {
    const { box, client, broker, mishaps } = this.#parts;
    if (box.running === null) return [];
    const kind = this.#random.pick(KINDS);
    const assets = box.running.gateway.engine.assets.list(kind).map(({ asset }) => asset.id);
    const [first, ...others] = assets;
    if (first === undefined) return [];
    const id = this.#random.pick([first, ...others]);
    const { path, body, setting, payload } = this.#wish(kind);
    if (broker.isRunning && this.#random.isChance(0.3)) {
      this.counts.mqtt += 1;
      const topic = `hemgate/${kind}/${id}/${setting}/set`;
      await broker.publish({ topic, payload: new TextEncoder().encode(payload), isRetained: false });
      return [];
    }
    this.counts.api += 1;
    const url = `/${PATHS[kind]}/${id}/${path}`;
    const answer = await client.ask("POST", url, body);
    if (answer !== null && answer.status !== 200) this.counts.refused += 1;
    // A disk that refuses takes no commands.
    const isFair =
      answer === null ||
      FAIR.has(answer.status) ||
      ((answer.status === 503 || answer.status === 401) && mishaps.mayRefuse);
    return isFair
      ? []
      : [`${url} ${JSON.stringify(body)} was answered ${answer.status} ${JSON.stringify(answer.body)}`];
  }

  #wish(kind: (typeof KINDS)[number]): Wish {
    const random = this.#random;
    if (kind === "battery") {
      const operationMode = random.pick(MODES);
      return { path: "operation-mode", body: { operationMode }, setting: "operationMode", payload: operationMode };
    }
    if (kind === "hvac") {
      const heatSetpoint = 19 + random.below(4);
      const hold = random.pick<object>([
        { mode: "HEAT", heatSetpoint },
        { mode: "OFF" },
        { mode: "AUTO", heatSetpoint, coolSetpoint: 26 },
      ]);
      return { path: "permanent-hold", body: hold, setting: "permanentHold", payload: JSON.stringify(hold) };
    }
    if (random.isChance(0.5)) {
      const action = random.pick(["START", "STOP"]);
      return { path: "charging", body: { action }, setting: "charging", payload: action };
    }
    const maxCurrent = random.pick(CURRENTS_A);
    return { path: "max-current", body: { maxCurrent }, setting: "maxCurrent", payload: String(maxCurrent) };
  }
}
