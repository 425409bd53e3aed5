import { type AdapterContext, type Driver, defineAdapter, errorText, type RunningAdapter } from "hemgate/sdk";
import { isAsked, METER_OPTIONS, type MeterOptions, placeOf } from "./line-options.ts";
import { LineRegistry, type LineShare } from "./line-registry.ts";
import { MeterDriver } from "./meter-driver.ts";
import { SMART_METER_VENDORS, SmartMeterLinking } from "./smart-meter-linking.ts";

/** The engine gives a connect 30 s. */
const FIRST_TELEGRAM_MS = 25_000;
/** A line that talks is kept so long for the next try: a readout at 300 bits a second takes longer than a connect may. */
const KEPT_MS = 150_000;

const VENDORS: Readonly<Record<MeterOptions["protocol"], string>> = { p1: "P1", sml: "SML", "iec62056-21": "IEC62056" };

/** Meters with an interface for their customer: P1, SML and IEC 62056-21, on a serial line or behind a host. */
export const smartMeterAdapter = defineAdapter({
  name: "smart-meter",
  options: METER_OPTIONS,
  check(options) {
    try {
      placeOf(options);
      return null;
    } catch (error) {
      return errorText(error);
    }
  },
  linking: SMART_METER_VENDORS,
  start: (context) => new SmartMeterAdapter(context),
});

class SmartMeterAdapter implements RunningAdapter<MeterOptions> {
  readonly #context: AdapterContext;
  readonly #lines: LineRegistry;
  /** Shares of lines that talked when a connect gave up. */
  readonly #kept = new Set<Disposable>();
  readonly linking: SmartMeterLinking;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.linking = new SmartMeterLinking(context.net, (typed, signal) =>
      this.connect("linking", METER_OPTIONS.parse(typed), signal),
    );
    this.#lines = new LineRegistry(context);
  }

  async connect(_deviceId: string, options: MeterOptions, signal: AbortSignal): Promise<Driver> {
    using resources = new DisposableStack();
    const share = resources.use(this.#lines.share(options));
    const { line } = share;
    try {
      await line.untilTelegram(FIRST_TELEGRAM_MS, signal);
    } catch (error) {
      if (isAsked(options) && line.isTalking) this.#keep(this.#lines.share(options));
      throw error;
    }
    const identity = line.latest?.identity ?? { manufacturer: null, model: null, serial: null, version: null };
    resources.move();
    return new MeterDriver({ line, share, identity, vendors: [VENDORS[options.protocol]] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const kept of this.#kept) kept[Symbol.dispose]();
    this.#lines[Symbol.dispose]();
  }

  #keep(share: LineShare): void {
    const resources = new DisposableStack();
    resources.use(share);
    const timer = this.#context.clock.timer(KEPT_MS, () => {
      this.#kept.delete(resources);
      resources.dispose();
    });
    resources.use(timer);
    this.#kept.add(resources);
  }
}
