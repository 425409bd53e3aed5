import { worthIt } from "../../domain/energy/cycle/battery-power.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { PlannedCharge } from "../contracts/energy/energy-manager.ts";
import type { FlexEvents } from "../contracts/energy/flex.ts";
import { pointsOf } from "./controlled.ts";
import { assetIdOf, type EnergyDevice, freeControl } from "./energy-device.ts";

export interface AbsorptionParts {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
  readonly flexEvents: Pick<FlexEvents, "absorbing">;
  readonly devices: () => readonly EnergyDevice[];
}

/** What an event of the grid that wants power taken asks of each device. It goes before what is planned. */
export class Absorption {
  readonly #parts: AbsorptionParts;

  constructor(parts: AbsorptionParts) {
    this.#parts = parts;
  }

  /** With what each vehicle is to charge; `null` without such an event. */
  charge(): PlannedCharge | null {
    const { clock, flexEvents } = this.#parts;
    const asked = flexEvents.absorbing();
    if (asked === null) return null;
    const untilMs = clock.monotonicMs() + asked.endMs - clock.nowMs();
    return { powerW: asked.watts ?? Number.MAX_SAFE_INTEGER, untilMs };
  }

  /**
   * With what a battery is to charge from the grid, W; `watts: null`: with all that goes. `null` without such an event,
   * and for a battery that cannot keep to the event's power.
   */
  battery(id: string): { readonly watts: number | null } | null {
    const asked = this.#parts.flexEvents.absorbing();
    if (asked === null) return null;
    const watts = asked.watts === null ? null : worthIt(asked.watts);
    return watts === null || (watts > 0 && this.#takesPower(id)) ? { watts } : null;
  }

  #takesPower(id: string): boolean {
    const device = this.#parts.devices().find((each) => assetIdOf(each, "battery") === id);
    if (device === undefined || freeControl(device, "battery.powerSetpoint") === null) return false;
    return pointsOf("battery").every((point) => device.commands.regulated.fate(point) === "ours");
  }
}
