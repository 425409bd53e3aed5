import { ASSET_KINDS, type AssetKind } from "../../domain/assets/asset.ts";
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
import type { KnownAccount, Linker } from "../adapters/adapter-host.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Vendors } from "../contracts/vendors.ts";
import { viewOf } from "./account-view.ts";
import { Attempts } from "./attempts.ts";

/** A device counts as failing when it has been silent for as long as cached data may be old (rule I8), ms. */
const SILENT_AFTER_MS = 10 * 60_000;
/** So long after a start the devices have not had their chance to answer, ms. */
const SETTLING_MS = 2 * 60_000;
/** Fewer attempts to link than this say nothing about the vendor. */
const LEAST_ATTEMPTS = 3;
/** And fewer requests than this. */
const LEAST_REQUESTS = 4;

/** One way to link, with the adapter that does it. */
export interface Offer {
  /** Unique among all adapters. */
  readonly id: string;
  readonly adapter: string;
  readonly entry: LinkableVendor;
  readonly linking: RunningLinking;
  /** What its devices are granted, where that is not the user's choice. */
  readonly fixedScopes?: readonly string[];
}

export interface DirectoryContext {
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs">;
  readonly assets: Assets;
  readonly linkers: readonly Linker[];
  /** The accounts of all adapters as they are now. */
  readonly accounts: () => readonly KnownAccount[];
  readonly wellKnown: Vendors["wellKnown"];
}

/**
 * The vendors that can be linked, and those whose devices are here already. A vendor's `status` is what its devices do
 * now and what became of the last hour's requests to its cloud, its `linkingStatus` what the attempts of the last minutes came to.
 */
export class VendorDirectory implements Vendors {
  readonly offers: readonly Offer[];
  readonly wellKnown: Vendors["wellKnown"];
  readonly #context: DirectoryContext;
  readonly #attempts: Attempts;
  readonly #startedAtMs: number;
  /** By kind, the offers of each code that devices of the kind are shown with. */
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

  /** An attempt to link came to an end; it failed when the vendor did not do its part. */
  noteAttempt({ id }: Offer, isFailed: boolean): void {
    this.#attempts.note(id, isFailed);
  }

  /** The offers for some kinds, as the link page shows them; of one vendor when a code is given. */
  linkable(
    kinds: readonly AssetKind[],
    vendor: string | null,
    offers: readonly Offer[] = this.offers,
  ): readonly LinkOffer[] {
    return offers.flatMap((offer) => {
      const { displayName, portalName, method, vendors } = offer.entry;
      const vendorTypes = kinds.filter((kind) => offer.entry.vendorTypes.includes(kind));
      const isMeant = vendor === null || vendors.includes(vendor) || codesOf(offer, vendorTypes).includes(vendor);
      if (vendorTypes.length === 0 || !isMeant) return [];
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

  /** What the requests of the last hour say of the vendors of some offers. */
  #answering(offers: readonly Offer[]): VendorStatus {
    const own = this.#context.accounts().filter((known) => {
      const offer = this.#offerOf(known);
      return offer !== undefined && offers.includes(offer);
    });
    const failed = own.reduce((sum, { account }) => sum + account.vendorsFault, 0);
    const answered = own.reduce((sum, { account }) => sum + account.answered, 0);
    return statusOf({ failed, all: failed + answered }, LEAST_REQUESTS);
  }

  /** The vendors of a kind that can be linked, and those whose devices are here: looked through once a question. */
  #known(kind: AssetKind): ReadonlyMap<string, Known> {
    const { assets, clock } = this.#context;
    const isSettling = clock.monotonicMs() - this.#startedAtMs < SETTLING_MS;
    const sinceMs = clock.nowMs() - SILENT_AFTER_MS;
    const known = new Map<string, { readonly offers: readonly Offer[]; failed: number; all: number }>();
    for (const [vendor, offers] of this.#byCode.get(kind) ?? []) known.set(vendor, { offers, failed: 0, all: 0 });
    for (const { asset } of assets.list(kind)) {
      const vendor = known.get(asset.vendor) ?? { offers: [], failed: 0, all: 0 };
      known.set(asset.vendor, vendor);
      vendor.all += 1;
      if (!isSettling && asset.isReachable === false && Date.parse(asset.lastSeen) <= sinceMs) vendor.failed += 1;
    }
    return known;
  }

  /** The row of a vendor from what is known of it for each of its kinds. */
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

  /** While one way of a vendor works, people can link. */
  #linkingStatus(offers: readonly Offer[]): VendorStatus {
    const statuses = offers.map(({ id }) => statusOf(this.#attempts.tally(id), LEAST_ATTEMPTS));
    return statuses.length === 0 ? "READY" : statuses.reduce(betterOf);
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** A vendor as one kind knows it: how to link it, and how many of its devices have been silent for long. */
interface Known extends Tally {
  readonly offers: readonly Offer[];
}

function byCode(offers: readonly Offer[], kind: AssetKind): ReadonlyMap<string, readonly Offer[]> {
  const codes = new Set(offers.flatMap((offer) => codesOf(offer, [kind])));
  return new Map([...codes].map((code) => [code, offers.filter((offer) => codesOf(offer, [kind]).includes(code))]));
}

/** The codes that the API shows for an offer's devices of some kinds. */
export function codesOf({ entry }: Pick<Offer, "entry">, kinds: readonly AssetKind[]): readonly string[] {
  const own = kinds.filter((kind) => entry.vendorTypes.includes(kind));
  return [...new Set(own.map((kind) => vendorFor(kind, entry.vendors)))];
}
