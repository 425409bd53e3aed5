import type { Firmware, FirmwareMessage, Say } from "./board.ts";

/** A device behind the coordinator: what it is, and what it shows. */
export interface ZigbeeTwinDevice {
  readonly name: string;
  readonly exposes: readonly object[];
  readonly powerSource?: string;
  state: Record<string, unknown>;
  /** False: the radio does not get through to it. */
  isReachable?: boolean;
  /** Properties that it answers a read of. */
  readonly gettable?: readonly string[];
}

const PREFIX = "zigbee2mqtt";

/** A numeric expose, as Zigbee2MQTT describes it. */
export function zigbeeNumber(name: string, unit: string, access = 5): object {
  return { type: "numeric", name, label: name, property: name, unit, access };
}

/** A switch expose with its state. */
export function zigbeeSwitch(property = "state"): object {
  const state = { type: "binary", name: "state", property, access: 7, value_on: "ON", value_off: "OFF" };
  return { type: "switch", features: [state] };
}

/** Zigbee2MQTT with some devices: a retained list of them, states that are not retained, errors in its log. */
export class Zigbee2MqttTwin implements Firmware {
  readonly will: FirmwareMessage = { topic: `${PREFIX}/bridge/state`, text: '{"state":"offline"}', isRetained: true };
  readonly filters = [`${PREFIX}/#`];
  readonly ticks = [];
  readonly devices: ZigbeeTwinDevice[];
  /** True: commands change nothing and tell nothing. */
  isDeaf = false;

  constructor(...devices: ZigbeeTwinDevice[]) {
    this.devices = devices;
  }

  connected(say: Say): void {
    say({ topic: `${PREFIX}/bridge/state`, text: '{"state":"online"}', isRetained: true });
    this.list(say);
  }

  heard({ topic, text }: { topic: string; text: string }, say: Say): void {
    const [, name, verb] = /^zigbee2mqtt\/(.+)\/(set|get)$/.exec(topic) ?? [];
    const device = this.devices.find((each) => each.name === name);
    if (device === undefined || this.isDeaf) return;
    const wanted: Record<string, unknown> = JSON.parse(text);
    if (device.isReachable === false) {
      this.#fail(`Publish '${verb}' '${Object.keys(wanted)[0]}' to '${name}' failed: 'Error: no response'`, say);
      return;
    }
    if (verb === "set") device.state = { ...device.state, ...wanted };
    else if (!Object.keys(wanted).some((property) => device.gettable?.includes(property))) return;
    this.report(device, say);
  }

  /** What the device sends by itself: all that is known of it, old and new. */
  report(device: ZigbeeTwinDevice, say: Say): void {
    say({ topic: `${PREFIX}/${device.name}`, text: JSON.stringify({ linkquality: 120, ...device.state }) });
  }

  list(say: Say): void {
    const known = this.devices.map(({ name, exposes, powerSource = "Mains (single phase)" }, index) => ({
      ieee_address: `0x00158d000000000${index}`,
      type: "Router",
      friendly_name: name,
      disabled: false,
      power_source: powerSource,
      software_build_id: "1.0.5",
      definition: { model: "TS011F", vendor: "Tuya", exposes },
    }));
    const coordinator = { ieee_address: "0x00124b0000000000", type: "Coordinator", friendly_name: "Coordinator" };
    say({ topic: `${PREFIX}/bridge/devices`, text: JSON.stringify([coordinator, ...known]), isRetained: true });
  }

  #fail(message: string, say: Say): void {
    say({ topic: `${PREFIX}/bridge/logging`, text: JSON.stringify({ level: "error", message, namespace: "z2m" }) });
  }
}
