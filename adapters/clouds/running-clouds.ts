/** The half of the adapter that is loaded with its first account: connections, sign-ins, accounts. */
import {
  type AdapterContext,
  type Clock,
  DeviceError,
  type Driver,
  MINUTE_MS,
  type RunningAdapter,
  type VendorAccount,
} from "hemgate/sdk";
import type { CloudOptions, CloudTerms } from "./cloud-adapter.ts";
import type { CloudDevice } from "./kit/connector.ts";
import { CloudDriver } from "./kit/device/cloud-driver.ts";
import { CommandTries } from "./kit/device/command-tries.ts";
import { asDeviceError } from "./kit/device/device-failure.ts";
import { LastReadings } from "./kit/device/last-readings.ts";
import { CloudLinking } from "./kit/linking/cloud-linking.ts";
import { Accounts } from "./kit/session/accounts.ts";
import { CloudError } from "./kit/session/cloud-error.ts";
import { openCloudWire } from "./kit/session/cloud-wire.ts";
import { Patience } from "./kit/session/patience.ts";
import { ReadTimes } from "./kit/session/read-times.ts";

/** More devices than a house has; what is known of the oldest is forgotten. */
const MAX_PACES = 500;
/** Between two tries to open a device: each asks for what was found out once already, at the expense of readings. */
const OPENING = { firstMs: 10_000, longestMs: 15 * MINUTE_MS } as const;

/** When a device is read, and which commands it takes. */
interface DevicePace {
  readonly times: ReadTimes;
  readonly last: LastReadings;
  readonly tries: CommandTries;
  readonly opening: Patience;
}

function newPace(clock: Clock): DevicePace {
  const opening = new Patience(clock, OPENING);
  return { times: new ReadTimes(clock), last: new LastReadings(clock), tries: new CommandTries(clock), opening };
}

/** A login that was refused has its own pause: a new sign-in is not kept waiting. */
async function patiently(opening: Patience, open: () => Promise<CloudDevice>): Promise<CloudDevice> {
  try {
    const device = await open();
    opening.succeeded();
    return device;
  } catch (error) {
    if (!(error instanceof CloudError && error.kind === "login-refused")) opening.failed(error);
    throw error;
  }
}

export class RunningClouds implements RunningAdapter<CloudOptions> {
  readonly linking: CloudLinking;
  readonly #context: AdapterContext;
  readonly #accounts: Accounts;
  /** By device, over its connections. */
  readonly #paces = new Map<string, DevicePace>();

  constructor(context: AdapterContext, terms: CloudTerms) {
    this.#context = context;
    this.#accounts = new Accounts({ ...terms, context, openWire: openCloudWire });
    this.linking = new CloudLinking(this.#accounts);
  }

  async connect(deviceId: string, options: CloudOptions, signal: AbortSignal): Promise<Driver> {
    // Nothing is asked, so that it is no failure to be patient about.
    signal.throwIfAborted();
    const { vendor, account, device: key, confirmUnverified, confirmNoFailsafe } = options;
    const { times, last, tries, opening } = this.#paceOf(deviceId);
    const { waitMs } = opening;
    if (waitMs > 0) {
      const cause = asDeviceError(opening.failure);
      const kind = cause instanceof DeviceError ? cause.kind : "unreachable";
      throw new DeviceError(kind, `${vendor}: the next try to open it is in ${Math.ceil(waitMs / 1_000)} s`, { cause });
    }
    try {
      await using resources = new AsyncDisposableStack();
      const share = resources.use(await this.#accounts.share(vendor, account));
      const { connector, session } = share;
      const device = await patiently(opening, () => connector.open(session, key, signal));
      const stream = resources.use(share.listen(device, key, () => times.rush()));
      const isOften = stream !== null || device.wantsRead !== undefined;
      times.follow(resources.use(share.pace(device, key, stream)), isOften);
      return new CloudDriver({
        vendors: connector.vendors,
        device,
        times,
        last,
        tries,
        stream,
        resources: resources.move(),
        confirmUnverified,
        confirmNoFailsafe,
      });
    } catch (error) {
      throw asDeviceError(error);
    }
  }

  wellKnown(path: string): Promise<string | null> {
    return this.#accounts.publicKeyAt(path);
  }

  accounts(): readonly VendorAccount[] {
    return this.#accounts.status();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#accounts[Symbol.asyncDispose]();
  }

  #paceOf(deviceId: string): DevicePace {
    const { clock } = this.#context;
    const pace = this.#paces.get(deviceId) ?? newPace(clock);
    this.#paces.set(deviceId, pace);
    const [oldest] = this.#paces.keys();
    if (this.#paces.size > MAX_PACES && oldest !== undefined) this.#paces.delete(oldest);
    return pace;
  }
}
