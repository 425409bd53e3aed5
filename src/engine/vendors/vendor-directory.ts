import { ASSET_KINDS, type AssetKind } from "../../domain/assets/asset.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import { instantOrNull } from "../../domain/fields.ts";
import type { LinkOffer } from "../../domain/linking/link-view.ts";
import { SCOPES } from "../../domain/users/scope.ts";
import { vendorFor, vendorName } from "../../domain/vendors/vendor.ts";
import type { VendorAccountView } from "../../domain/vendors/vendor-account-view.ts";
import {
  betterOf,
  type Integration,
  statusOf,
  type Tally,
  type VendorHealth,
  type VendorStatus,
  worseOf,
} from "../../domain/vendors/vendor-health.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { LinkableVendor, RunningLinking } from "../../sdk/linking.ts";
import type { VendorAccount } from "../../sdk/vendor-account.ts";
import type { KnownAccount, Linker } from "../adapters/adapter-host.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Vendors } from "../contracts/vendors.ts";
import { Attempts } from "./attempts.ts";

/** A device that does not answer for the maximum age of cached data (rule I8) counts as failing. */
const SILENT_AFTER_MS = 10 * MINUTE_MS;
/** After a start, devices get this time to answer before they count as failing. */
const START_GRACE_MS = 2 * MINUTE_MS;
/** With fewer link attempts, a vendor's link status is ready. */
const MIN_ATTEMPTS = 3;
/** With fewer requests, a vendor's status does not depend on them. */
const MIN_REQUESTS = 4;

/** One way to link devices of a vendor, with its adapter. */
export interface Offer {
  /** Unique among all adapters. */
  readonly id: string;
  readonly adapter: string;
  readonly entry: LinkableVendor;
  readonly linking: RunningLinking;
  /** The scopes of its devices, if the user cannot choose them. */
  readonly fixedScopes?: readonly string[];
}

export interface DirectoryContext {
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs">;
  readonly assets: Assets;
  readonly linkers: readonly Linker[];
  /** Returns the present state of all adapters' accounts. */
  readonly accounts: () => readonly KnownAccount[];
  readonly wellKnown: Vendors["wellKnown"];
}

/**
 * Lists the vendors that can be linked, and those of linked devices. A vendor's `status` follows from its devices and the
 * requests of the last hour to its cloud, its `linkingStatus` from the link attempts of the last 15 minutes.
 */
export class VendorDirectory implements Vendors {
  readonly offers: readonly Offer[];
  readonly wellKnown: Vendors["wellKnown"];
  readonly #context: DirectoryContext;
  readonly #attempts: Attempts;
  readonly #startedAtMs: number;
  /** The offers by kind and by vendor code. */
  readonly #byCode: ReadonlyMap<AssetKind, ReadonlyMap<string, readonly Offer[]>>;

  constructor(context: DirectoryContext) {
    this.#context = context;
    this.wellKnown = context.wellKnown;
    this.#attempts = new Attempts(context.clock);
    this.#startedAtMs = context.clock.monotonicMs();
    this.offers = context.linkers.flatMap(({ adapter, vendors, linking }) =>
      vendors.map((entry) => ({ id: `${adapter}/${entry.id}`, adapter, entry, linking })),
    );
    this.#byCode = new Map(ASSET_KINDS.map((kind) => [kind, byCode(this.offers, kind)]));
  }

  /** Counts a link attempt; `isFailed` only for failures of the vendor. */
  noteAttempt({ id }: Offer, isFailed: boolean): void {
    this.#attempts.note(id, isFailed);
  }

  /** Returns the link page's offers for some kinds, of one vendor unless `vendor` is `null`. */
  linkable(
    kinds: readonly AssetKind[],
    vendor: string | null,
    offers: readonly Offer[] = this.offers,
  ): readonly LinkOffer[] {
    return offers.flatMap((offer) => {
      const { displayName, portalName, method, vendors } = offer.entry;
      const vendorTypes = kinds.filter((kind) => offer.entry.vendorTypes.includes(kind));
      const isOfVendor = vendor === null || vendors.includes(vendor) || codesOf(offer, vendorTypes).includes(vendor);
      if (vendorTypes.length === 0 || !isOfVendor) return [];
      const linkingStatus = this.#linkingStatus([offer]);
      return [{ id: offer.id, vendor: vendors[0] ?? "", vendorTypes, displayName, portalName, method, linkingStatus }];
    });
  }

  health(kind: AssetKind): readonly VendorHealth[] {
    const known = this.#known(kind);
    return [...known.keys()].toSorted().map((vendor) => this.#row(vendor, [known]));
  }

  integrations(kinds: readonly AssetKind[]): readonly Integration[] {
    const known = ASSET_KINDS.filter((kind) => kinds.includes(kind)).map((kind) => ({ kind, of: this.#known(kind) }));
    const vendors = new Set(known.flatMap(({ of }) => [...of.keys()]));
    return [...vendors].toSorted().map((vendor) => {
      const own = known.filter(({ of }) => of.has(vendor));
      const assetTypes = own.map(({ kind }) => kind);
      const row = this.#row(
        vendor,
        own.map(({ of }) => of),
      );
      return { ...row, assetTypes, scopes: assetTypes.flatMap((kind) => SCOPES[kind]) };
    });
  }

  accounts(): readonly VendorAccountView[] {
    const rows = this.#context.accounts().map((known): VendorAccountView => {
      const entry = this.#offerOf(known)?.entry;
      return viewOf(known.account, entry?.vendors[0] ?? "", entry?.displayName ?? known.account.vendorId);
    });
    return rows.toSorted((one, other) => compare(one.vendor, other.vendor) || compare(one.account, other.account));
  }

  #offerOf({ adapter, account }: KnownAccount): Offer | undefined {
    return this.offers.find(({ id }) => id === `${adapter}/${account.vendorId}`);
  }

  /** Returns the status that follows from the last hour's requests to the vendors of some offers. */
  #answering(offers: readonly Offer[]): VendorStatus {
    const own = this.#context.accounts().filter((known) => {
      const offer = this.#offerOf(known);
      return offer !== undefined && offers.includes(offer);
    });
    const failed = own.reduce((sum, { account }) => sum + account.vendorsFault, 0);
    const answered = own.reduce((sum, { account }) => sum + account.answered, 0);
    return statusOf({ failed, all: failed + answered }, MIN_REQUESTS);
  }

  /** Returns the vendors of a kind that can be linked or have linked devices, by vendor code. */
  #known(kind: AssetKind): ReadonlyMap<string, Known> {
    const { assets, clock } = this.#context;
    const isStarting = clock.monotonicMs() - this.#startedAtMs < START_GRACE_MS;
    const sinceMs = clock.nowMs() - SILENT_AFTER_MS;
    const known = new Map<string, { readonly offers: readonly Offer[]; failed: number; all: number }>();
    for (const [vendor, offers] of this.#byCode.get(kind) ?? []) known.set(vendor, { offers, failed: 0, all: 0 });
    for (const { asset } of assets.list(kind)) {
      const vendor = known.get(asset.vendor) ?? { offers: [], failed: 0, all: 0 };
      known.set(asset.vendor, vendor);
      vendor.all += 1;
      if (!isStarting && asset.isReachable === false && Date.parse(asset.lastSeen) <= sinceMs) vendor.failed += 1;
    }
    return known;
  }

  /** Returns the health of a vendor over all given kinds. */
  #row(vendor: string, kinds: readonly ReadonlyMap<string, Known>[]): VendorHealth {
    const own = kinds.flatMap((known) => known.get(vendor) ?? []);
    const offered = new Set(own.flatMap(({ offers }) => offers));
    const offers = offered.size < 2 ? [...offered] : this.offers.filter((offer) => offered.has(offer));
    const [first] = offers.filter(({ entry }) => entry.vendors[0] === vendor);
    return {
      vendor,
      displayName: first?.entry.displayName ?? vendorName(vendor),
      portalName: first?.entry.portalName ?? vendorName(vendor),
      status: own.map((tally) => statusOf(tally, 1)).reduce(worseOf, this.#answering(offers)),
      linkingStatus: this.#linkingStatus(offers),
    };
  }

  /** Returns the best link status of some offers: a vendor can be linked as long as one of them works. */
  #linkingStatus(offers: readonly Offer[]): VendorStatus {
    const statuses = offers.map(({ id }) => statusOf(this.#attempts.tally(id), MIN_ATTEMPTS));
    return statuses.length === 0 ? "READY" : statuses.reduce(betterOf);
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** A vendor's offers for one kind, and how many of its devices of that kind are failing. */
interface Known extends Tally {
  readonly offers: readonly Offer[];
}

function byCode(offers: readonly Offer[], kind: AssetKind): ReadonlyMap<string, readonly Offer[]> {
  const codes = new Set(offers.flatMap((offer) => codesOf(offer, [kind])));
  return new Map([...codes].map((code) => [code, offers.filter((offer) => codesOf(offer, [kind]).includes(code))]));
}

/** Returns the vendor codes that the API shows for an offer's devices of some kinds. */
export function codesOf({ entry }: Pick<Offer, "entry">, kinds: readonly AssetKind[]): readonly string[] {
  const own = kinds.filter((kind) => entry.vendorTypes.includes(kind));
  return [...new Set(own.map((kind) => vendorFor(kind, entry.vendors)))];
}

/** Returns a vendor account as the API shows it. */
function viewOf(account: VendorAccount, vendor: string, displayName: string): VendorAccountView {
  const { vendorId: _id, vendorsFault: _fault, lastAnswerMs, nextPollMs, failed, quotas, stream, ...rest } = account;
  return {
    vendor,
    displayName,
    ...rest,
    failed: { ...failed },
    lastAnswerAt: instantOrNull(lastAnswerMs),
    nextPollAt: instantOrNull(nextPollMs),
    quotas: quotas.map((quota) => ({ ...quota })),
    stream: stream && {
      isConnected: stream.isConnected,
      since: instantOrNull(stream.sinceMs),
      lastMessageAt: instantOrNull(stream.lastMessageMs),
      problem: stream.problem && { ...stream.problem },
    },
  };
}
