import { type AdapterContext, DeviceError, type Driver, defineAdapter, type RunningAdapter, Shares } from "hemgate/sdk";
import { z } from "zod";
import { type GroupAddress, MetersOnLan, type SeenMeter } from "./meters-on-lan.ts";
import { SPEEDWIRE } from "./sighting.ts";
import { SpeedwireDiscovery } from "./speedwire-discovery.ts";
import { SILENT_MS, SpeedwireDriver } from "./speedwire-driver.ts";
import { SPEEDWIRE_VENDOR, SpeedwireLinking } from "./speedwire-linking.ts";

/** The engine gives a connect 30 s. */
const FIRST_DATAGRAM_MS = 12_000;
/** Where no serial number is given it is listened for so long whether there is another meter, ms. */
const LOOK_AROUND_MS = 2_500;
const MULTICAST = /^(22[4-9]|23\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

const OPTIONS = z.object({
  serial: z
    .int()
    .min(1)
    .max(0xffff_fffe)
    .optional()
    .meta({ description: "Serial number of the meter or home manager; needed where there are several." }),
  host: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,3}){3}$/, "is no IPv4 address")
    .optional()
    .meta({ description: "IPv4 address of the meter; datagrams of others are not taken for it." }),
  group: z
    .string()
    .regex(MULTICAST, "is no IPv4 multicast group")
    .default(SPEEDWIRE.group)
    .meta({ description: "The multicast group. Meters that are set to send to this machine alone are heard, too." }),
  port: z.int().min(1).max(65_535).default(SPEEDWIRE.port).meta({ description: "UDP port." }),
});
type SpeedwireOptions = z.infer<typeof OPTIONS>;

/** SMA's energy meters and home managers, which send what they measure to everybody in the house. */
export const speedwireAdapter = defineAdapter({
  name: "speedwire",
  options: OPTIONS,
  linking: [SPEEDWIRE_VENDOR],
  start: (context) => new SpeedwireAdapter(context),
});

class SpeedwireAdapter implements RunningAdapter<SpeedwireOptions> {
  readonly #context: AdapterContext;
  /** One socket for all meters of a group and port. */
  readonly #listening = new Shares<MetersOnLan>();
  readonly linking: SpeedwireLinking;
  readonly discovery: SpeedwireDiscovery;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.linking = new SpeedwireLinking((typed, signal) => this.connect("linking", OPTIONS.parse(typed), signal));
    this.discovery = new SpeedwireDiscovery(context);
  }

  async connect(_deviceId: string, options: SpeedwireOptions, signal: AbortSignal): Promise<Driver> {
    using resources = new DisposableStack();
    const { meters, share } = this.#share(options);
    resources.use(share);
    const { serial, host = null } = options;
    const fits = this.#fitting(options, meters);
    const meter = await meters.until(() => fits()[0] ?? null, FIRST_DATAGRAM_MS, signal);
    if (meter === null) throw new DeviceError("unreachable", absence(options, meters));
    if (serial === undefined) {
      const others = (): readonly SeenMeter[] =>
        fits().filter((each) => each.datagram.serial !== meter.datagram.serial);
      await meters.until(() => others()[0] ?? null, LOOK_AROUND_MS, signal);
      const serials = [...new Set(fits().map(({ datagram }) => datagram.serial))].toSorted((a, b) => a - b);
      if (serials.length > 1) {
        throw new DeviceError("rejected", `there are several meters: set serial to one of ${serials.join(", ")}`);
      }
    }
    resources.move();
    return new SpeedwireDriver({ clock: this.#context.clock, meters, meter, host, share });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening[Symbol.dispose]();
  }

  /** The meters that the options may mean, of those that were heard lately. */
  #fitting({ serial, host }: SpeedwireOptions, meters: MetersOnLan): () => readonly SeenMeter[] {
    const { clock } = this.#context;
    return () =>
      meters
        .all()
        .filter(({ atMs }) => clock.monotonicMs() - atMs <= SILENT_MS)
        .filter(({ datagram }) => serial === undefined || datagram.serial === serial)
        .filter((meter) => host === undefined || meter.host === host);
  }

  #share({ group, port }: GroupAddress): { readonly meters: MetersOnLan; readonly share: Disposable } {
    const share = this.#listening.take(`${group}:${port}`, () => MetersOnLan.start(this.#context, { group, port }));
    return { meters: share.thing, share };
  }
}

function absence({ serial, host, group, port }: SpeedwireOptions, meters: MetersOnLan): string {
  if (meters.failure !== null) return meters.failure;
  const others = meters.all().map(({ datagram, host: from }) => `${datagram.serial} at ${from}`);
  const which = [serial === undefined ? "" : ` ${serial}`, host === undefined ? "" : ` at ${host}`].join("");
  const seen = others.length === 0 ? "" : `; heard were ${others.join(", ")}`;
  const damaged = meters.damaged === 0 ? "" : `; ${meters.damaged} datagrams were not right`;
  return `no datagram of a meter${which} on ${group}, UDP port ${port}${seen}${damaged}`;
}
