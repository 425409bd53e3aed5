/** What the owner of a device behind a cloud decides when it is linked: the controls that wait for a word of theirs. */
import {
  choiceFields,
  chosenOptions,
  type FoundDevice,
  isForced,
  type LinkDetail,
  type LinkField,
  type LinkSetup,
  type SetupOutcome,
  type WithheldControls,
  z,
} from "hemgate/sdk";
import type { CloudConnector, CloudControl } from "../connector.ts";
import type { Accounts } from "../session/accounts.ts";
import { CloudError, type CloudErrorKind } from "../session/cloud-error.ts";

/** Nothing is wrong: the device opens by itself once its vendor may be asked again. */
const MAY_BE_ASKED_LATER: readonly CloudErrorKind[] = ["no-budget", "rate-limited"];
/** The options of a device that linking found. */
const Place = z.object({ vendor: z.string(), account: z.string(), device: z.string() });

export class CloudSetup implements LinkSetup {
  readonly #accounts: Accounts;

  constructor(accounts: Accounts) {
    this.#accounts = accounts;
  }

  async fields(
    { options }: FoundDevice,
    known: Readonly<Record<string, unknown>> | null,
    signal: AbortSignal,
  ): Promise<readonly LinkField[] | "later"> {
    const { vendor, account, device } = Place.parse(options);
    using share = await this.#accounts.share(vendor, account);
    const { connector, session } = share;
    try {
      const { controls } = await connector.open(session, device, signal);
      return choiceFields(waiting(connector, controls), known);
    } catch (error) {
      if (error instanceof CloudError && MAY_BE_ASKED_LATER.includes(error.kind)) return "later";
      throw error;
    }
  }

  async apply(device: FoundDevice, values: Readonly<Record<string, string>>): Promise<SetupOutcome> {
    return { kind: "ready", device: { ...device, options: { ...device.options, ...chosenOptions(values) } } };
  }
}

function waiting({ displayName }: CloudConnector, controls: readonly CloudControl[]): WithheldControls {
  const detail = (control: CloudControl, values: LinkDetail["values"]): LinkDetail => {
    const { point, confidence, caveat } = control;
    const note = caveat === undefined ? {} : { note: caveat };
    return { point, values, isTimer: false, confidence, source: displayName, ...note };
  };
  const unverified = controls.filter(({ confidence }) => confidence === "unverified");
  return {
    unverified: unverified.map((control) => detail(control, control.values ?? null)),
    noFailsafe: controls.flatMap((control) => {
      const forced = control.values?.filter((value) => isForced(control.point, value)) ?? [];
      return control.holdMs !== null || forced.length === 0 ? [] : [detail(control, forced)];
    }),
  };
}
