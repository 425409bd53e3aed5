/** How people link a vendor's cloud: they sign in, and choose among the devices of the account. */
import type { FoundDevice, LinkOutcome, LinkStep, RunningLinking } from "hemgate/sdk";
import type { CloudConnector, CloudListing } from "../connector.ts";
import { linkRefusal } from "../device/device-failure.ts";
import type { SignInResult } from "../login/login-desk.ts";
import { signInStep } from "../login/sign-in.ts";
import { accountIdOf } from "../session/account-id.ts";
import type { Accounts } from "../session/accounts.ts";
import { CloudError } from "../session/cloud-error.ts";
import { isVendors } from "../session/cloud-request.ts";
import { CloudSetup } from "./cloud-setup.ts";

export class CloudLinking implements RunningLinking {
  readonly setup: CloudSetup;
  readonly #accounts: Accounts;

  constructor(accounts: Accounts) {
    this.#accounts = accounts;
    this.setup = new CloudSetup(accounts);
  }

  async take(step: LinkStep, signal: AbortSignal): Promise<LinkOutcome> {
    const connector = await this.#accounts.connector(step.vendorId);
    try {
      const result = await this.#accounts.atDesk(connector.id, (desk) =>
        signInStep(connector.login, step, desk, signal),
      );
      if (result.kind === "wait") refuseForeignPage(connector, result.url);
      return result.kind === "signed-in" ? await this.#found(connector, result, signal) : result;
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      return { kind: "refused", why: linkRefusal(error) };
    }
  }

  /** The account's login is on disk before anybody can choose a device of it. */
  async #found(
    connector: CloudConnector,
    signedIn: Extract<SignInResult, { readonly kind: "signed-in" }>,
    signal: AbortSignal,
  ): Promise<LinkOutcome> {
    const { listings, login } = await this.#accounts.tryOut(connector.id, signedIn, signal);
    const account = accountIdOf(connector.id, { ...login, person: signedIn.person }, listings);
    if (listings.length > 0) await this.#accounts.adopt(account, login);
    return { kind: "found", devices: listings.map((listing) => found(connector, account, listing)) };
  }
}

/** Where a person enters a code is the vendor's answer, so it leads nowhere but to the vendor. */
function refuseForeignPage({ login, hosts }: CloudConnector, url: string): void {
  const parsed = URL.parse(url);
  // A form's page is the connector's own.
  if (login.kind === "form" || (parsed !== null && isVendors(parsed, hosts))) return;
  throw new CloudError("malformed", "the page for the code is not the vendor's");
}

function found({ id }: CloudConnector, account: string, listing: CloudListing): FoundDevice {
  const { key, types, name, model, detail } = listing;
  const options = { vendor: id, account, device: key };
  return { key: `${id}:${key}`, vendorTypes: types, name, model, detail, options };
}
