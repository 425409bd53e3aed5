/** A plant whose inverters have no separate resource that is read here: what its overview tells. */
import type { DeviceIdentity, PointName } from "hemgate/sdk";
import type { CloudDevice, CloudReading, CloudSession, Tempo } from "../kit/connector.ts";
import { parsed } from "../kit/device/parsed.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { get } from "./open-api.ts";
import { Overview, type Plant } from "./schemas.ts";
import { inWh } from "./telemetry.ts";

export class GrowattPlant implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly points: readonly PointName[] = ["inverter.power", "inverter.energy"];
  readonly controls = [];
  readonly cost = { requests: 1, settings: 0 };
  readonly #session: CloudSession;
  readonly #id: string;
  #isDark = false;

  constructor(session: CloudSession, { plant_id: id, name }: Plant) {
    this.#session = session;
    this.#id = id;
    this.identity = { manufacturer: "Growatt", model: null, serial: null, version: null, name };
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const answer = await this.#session.ask(get(this.#session.extra, "plant/data", { plant_id: this.#id }), signal);
    const { current_power: powerW, total_energy: kwh } = parsed(Overview, answer, "plant/data").data;
    this.#isDark = powerW === 0;
    return [
      { point: "inverter.power", value: powerW },
      { point: "inverter.energy", value: inWh(kwh) },
    ];
  }

  async write(point: string): Promise<void> {
    throw new CloudError("refused", `${point}: an overview of a plant takes no commands`);
  }

  tempo(): Tempo {
    return this.#isDark ? "idle" : "usual";
  }
}
