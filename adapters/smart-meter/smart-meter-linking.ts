/** How people link their meter: they say on which line it is, and a telegram has to come before it counts. */
import {
  DeviceError,
  type Driver,
  deviceRefusal,
  type FoundDevice,
  hostRefusal,
  type LinkableVendor,
  type LinkField,
  type LinkOutcome,
  type LinkRefusal,
  type LinkStep,
  type Net,
  type RunningLinking,
  typedNumber,
} from "hemgate/sdk";

/** A serial port by one of the names that Linux gives to those that a meter may hang on. */
const SERIAL_PORT = /^\/dev\/(tty(USB|ACM|AMA|S|O|SC|mxc)\d{1,3}|serial\/by-(id|path)\/[\w.:+-]{1,200})$/;
const KEY = /^[0-9A-Fa-f]{32}$/;

const LINE: readonly LinkField[] = [
  {
    name: "host",
    kind: "host",
    label: {
      "en-US": "Serial port such as /dev/ttyUSB0, or network address",
      "de-DE": "Serielle Schnittstelle wie /dev/ttyUSB0, oder Netzwerkadresse",
    },
  },
  {
    name: "port",
    kind: "port",
    isOptional: true,
    label: { "en-US": "Port (only with a network address)", "de-DE": "Port (nur bei einer Netzwerkadresse)" },
  },
];
const KEY_FIELD: LinkField = {
  // The page's forms already have a field that is called key.
  name: "meterKey",
  kind: "api-key",
  isOptional: true,
  label: {
    "en-US": "Key from the grid operator, where it gave you one (Luxembourg, Austria)",
    "de-DE": "Schlüssel vom Netzbetreiber, falls Sie einen haben (Luxemburg, Österreich)",
  },
};

interface Way {
  readonly id: string;
  readonly portalName: string;
  readonly vendor: string;
  readonly options: Readonly<Record<string, string>>;
  readonly fields: readonly LinkField[];
}

const WAYS: readonly Way[] = [
  { id: "p1", portalName: "P1 (DSMR)", vendor: "P1", options: { protocol: "p1" }, fields: [...LINE, KEY_FIELD] },
  { id: "sml", portalName: "SML", vendor: "SML", options: { protocol: "sml" }, fields: LINE },
  {
    id: "iec62056-21",
    portalName: "IEC 62056-21 (D0), on request",
    vendor: "IEC62056",
    options: { protocol: "iec62056-21" },
    fields: LINE,
  },
  {
    id: "iec62056-21-push",
    portalName: "IEC 62056-21 (D0), by itself",
    vendor: "IEC62056",
    options: { protocol: "iec62056-21", mode: "push" },
    fields: LINE,
  },
];

export const SMART_METER_VENDORS: readonly LinkableVendor[] = WAYS.map(({ id, portalName, vendor, fields }) => ({
  id,
  vendors: [vendor],
  vendorTypes: ["meter"],
  displayName: "Smart Meter",
  portalName,
  method: "local",
  fields,
}));

type Options = Readonly<Record<string, string | number>>;

/** Listens to the line that was typed until a telegram comes. */
export class SmartMeterLinking implements RunningLinking {
  readonly #net: Pick<Net, "resolve">;
  readonly #connect: (options: Options, signal: AbortSignal) => Promise<Driver>;

  /** The driver is the caller's. */
  constructor(net: Pick<Net, "resolve">, connect: (options: Options, signal: AbortSignal) => Promise<Driver>) {
    this.#net = net;
    this.#connect = connect;
  }

  /** A serial port, or an address with its port; or why nothing is asked there. */
  async #lineOf({ host = "", port: typed = "" }: Readonly<Record<string, string>>): Promise<Options | LinkRefusal> {
    if (SERIAL_PORT.test(host)) return { serialPort: host };
    const port = typedNumber(typed, 1, 65_535);
    const refusal = await hostRefusal(this.#net, host);
    return refusal ?? (port === null ? "out-of-range" : { host, port });
  }

  async take({ vendorId, answer }: LinkStep, signal: AbortSignal): Promise<LinkOutcome> {
    const way = WAYS.find(({ id }) => id === vendorId);
    if (way === undefined || answer.kind !== "form") return { kind: "refused", why: "not-answering" };
    const { meterKey: key = "" } = answer.values;
    if (key !== "" && !KEY.test(key)) return { kind: "refused", why: "invalid-credentials" };
    const line = await this.#lineOf(answer.values);
    if (typeof line === "string") return { kind: "refused", why: line };
    const options = { ...way.options, ...line, ...(key === "" ? {} : { key }) };
    try {
      await using driver = await this.#connect(options, signal);
      return { kind: "found", devices: [deviceOf(driver, options, line)] };
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      return { kind: "refused", why: deviceRefusal(error) };
    }
  }
}

function deviceOf({ identity }: Driver, options: Options, line: Options): FoundDevice {
  const { manufacturer, model, serial } = identity;
  const place = Object.values(line).join(":");
  const plate = [manufacturer, model].filter((part) => part !== null);
  return {
    key: serial ?? place,
    vendorTypes: ["meter"],
    name: null,
    model: plate.length === 0 ? null : plate.join(" "),
    detail: serial ?? place,
    options,
  };
}
