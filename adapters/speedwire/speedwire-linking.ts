/** How people link SMA's meters: meters are found by their datagrams and distinguished by the serial number on the plate. */
import {
  DeviceError,
  type Driver,
  deviceRefusal,
  type LinkableVendor,
  type LinkOutcome,
  type LinkStep,
  type RunningLinking,
} from "hemgate/sdk";

/** The only vendor of this adapter. */
export const SPEEDWIRE_VENDOR: LinkableVendor = {
  id: "speedwire",
  vendors: ["SMA"],
  vendorTypes: ["meter"],
  displayName: "SMA",
  portalName: "Energy Meter, Sunny Home Manager 2.0 (Speedwire)",
  method: "local",
  fields: [
    {
      name: "serial",
      kind: "text",
      label: { "en-US": "Serial number on the device", "de-DE": "Seriennummer auf dem Gerät" },
    },
  ],
};

/** Waits for a datagram of the meter whose number was typed. */
export class SpeedwireLinking implements RunningLinking {
  readonly #connect: (options: { readonly serial: number }, signal: AbortSignal) => Promise<Driver>;

  /** The driver is the caller's. */
  constructor(connect: (options: { readonly serial: number }, signal: AbortSignal) => Promise<Driver>) {
    this.#connect = connect;
  }

  async take({ answer }: LinkStep, signal: AbortSignal): Promise<LinkOutcome> {
    const typed = answer.kind === "form" ? (answer.values["serial"] ?? "") : "";
    const serial = /^\d{1,10}$/.test(typed) ? Number(typed) : 0;
    if (serial < 1 || serial > 0xffff_fffe) return { kind: "refused", why: "not-answering" };
    try {
      await using driver = await this.#connect({ serial }, signal);
      const { manufacturer, model } = driver.identity;
      const plate = [manufacturer, model].filter((part) => part !== null).join(" ");
      const device = { key: String(serial), vendorTypes: ["meter"], name: null, detail: String(serial) } as const;
      return { kind: "found", devices: [{ ...device, model: plate === "" ? null : plate, options: { serial } }] };
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      return { kind: "refused", why: deviceRefusal(error) };
    }
  }
}
