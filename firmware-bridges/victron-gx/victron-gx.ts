import type { Control, ControlPoint, PointValue } from "hemgate/sdk";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake, Outgoing } from "../kit/bridge.ts";
import { roleOf } from "../kit/role.ts";
import { COMPONENT_ROLES, ComponentPart } from "./component-part.ts";
import { type GxPart, valueIn } from "./gx-part.ts";
import { sightings } from "./sightings.ts";
import { SystemPart } from "./system-part.ts";

/**
 * The GX tells what changes, and ends that 60 s after the last keep-alive. What stands still is read again this often, so
 * that it is known to be alive.
 */
const READ_EVERY_MS = 10_000;
/** A full dump is a thousand topics and more: it is asked for once. */
const NO_DUMP = JSON.stringify({ "keepalive-options": ["suppress-republish"] });

/** A Victron GX (Venus OS) over its MQTT broker; topics in topics.md. */
export const victronGx: Bridge = {
  name: "victron-gx",
  announcements: { filters: ["N/+/system/0/Serial", "N/+/heartbeat"], sightings },
  settings: ["maxChargeW", "maxDischargeW"],
  open: (options) => new GxDevice(options),
};

class GxDevice implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["MQTT"];
  readonly isEnergyManager: boolean;
  readonly hello: readonly Outgoing[];
  readonly query: NonNullable<BridgeDevice["query"]>;
  readonly #portal: string;
  readonly #part: GxPart;
  readonly #paths: ReadonlySet<string>;
  /** Topics that had something to tell, without their first level. */
  readonly #live = new Set<string>();

  constructor(options: BridgeOptions) {
    const { topic, role, channel, intervalMs } = options;
    this.#portal = topic;
    this.isEnergyManager = role === null;
    this.#part =
      role === null ? new SystemPart(topic, options) : new ComponentPart(topic, componentRole(role), options);
    this.#paths = new Set(this.#part.paths.map(({ service, path }) => `${service} ${path}`));
    const instance = channel ?? "+";
    this.filters = [
      `N/${topic}/full_publish_completed`,
      ...this.#part.paths.map(({ service, path }) => `N/${topic}/${service}/${instance}/${path}`),
    ];
    const everyMs = intervalMs ?? READ_EVERY_MS;
    this.timing = { everyMs };
    this.hello = [{ topic: `R/${topic}/keepalive`, text: "" }];
    this.query = { everyMs, messages: () => this.#questions() };
  }

  receive({ topic, text }: BridgeMessage, intake: Intake): void {
    const [, , service = "", instance = "", ...rest] = topic.split("/");
    if (service === "full_publish_completed") {
      this.#part.complete(intake);
      return;
    }
    const path = rest.join("/");
    if (!this.#paths.has(`${service} ${path}`) || !/^\d{1,6}$/.test(instance)) return;
    const isGone = text === "";
    const value = isGone ? null : valueIn(text);
    const name = topic.slice("N/".length);
    if (isGone) this.#live.delete(name);
    else this.#live.add(name);
    if (service === "system") intake.identity({ manufacturer: "Victron Energy", serial: this.#portal });
    this.#part.take({ service, path, instance: Number(instance), value, isGone }, intake);
  }

  missing(): string | null {
    return this.#part.missing();
  }

  controls(): readonly Control[] {
    return this.#part.controls();
  }

  command(point: ControlPoint, value: PointValue): Command {
    return this.#part.command(point, value);
  }

  #questions(): readonly Outgoing[] {
    return [
      { topic: `R/${this.#portal}/keepalive`, text: NO_DUMP },
      ...[...this.#live].map((name) => ({ topic: `R/${name}`, text: "" })),
    ];
  }
}

function componentRole(role: Parameters<typeof roleOf>[0]): (typeof COMPONENT_ROLES)[number] {
  const known = roleOf(role, COMPONENT_ROLES, "victron-gx");
  return COMPONENT_ROLES.find((each) => each === known) ?? "meter";
}
