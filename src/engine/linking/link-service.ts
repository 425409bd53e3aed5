import type { AssetKind } from "../../domain/assets/asset.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import { type LinkBody, type RelinkBody, typesIn } from "../../domain/linking/link.ts";
import type { FoundDevice } from "../../domain/linking/link-form.ts";
import type { ClosedLink, LinkFault, LinkView } from "../../domain/linking/link-view.ts";
import { problem } from "../../domain/problem.ts";
import { vendorFor } from "../../domain/vendors/vendor.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type { DeviceRecord, LinkRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Authorizations } from "../contracts/authorizations.ts";
import type { Fleet } from "../contracts/fleet.ts";
import type { LinkForm, Linking } from "../contracts/linking.ts";
import type { Forgetter, Removal, Users } from "../contracts/users.ts";
import type { EngineConfig, EnginePart, RefreshAssets } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import { codesOf, type Offer, type VendorDirectory } from "../vendors/vendor-directory.ts";
import { configuredOffer, isConfigured } from "./configured-devices.ts";
import { LinkFlow } from "./link-flow.ts";
import { LinkSessions } from "./link-sessions.ts";
import type { GrantedOffer } from "./link-state.ts";

/** After this time without a request, a session forgets what the user typed. */
const IDLE_MS = 30 * MINUTE_MS;
const SWEEP_MS = 10 * MINUTE_MS;
/** Each flow holds the form values of one user in memory. */
const MAX_FLOWS = 200;
/** Default of `linking.maxConnections`. */
const MAX_CONNECTIONS = 100;

/** The parts of the engine that linking uses. */
export interface LinkNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly config: EngineConfig;
  readonly refresh: RefreshAssets;
}

export interface LinkParts {
  readonly fleet: Fleet;
  readonly users: Users;
  readonly authorizations: Authorizations;
  readonly directory: VendorDirectory;
}

/** Runs the link sessions, from the client's request to the linked devices. */
export class LinkService implements Linking, EnginePart, Forgetter {
  readonly #context: LinkNeeds;
  readonly #parts: LinkParts;
  readonly #sessions: LinkSessions;
  /** The sessions whose page was opened, by the hash of their token. */
  readonly #flows = new Map<string, { readonly flow: LinkFlow; readonly token: string }>();

  constructor(context: LinkNeeds, parts: LinkParts) {
    this.#context = context;
    this.#parts = parts;
    this.#sessions = new LinkSessions(context);
  }

  async start(userId: string, body: LinkBody, appName: string | null, isOwnPage = false): Promise<string> {
    const { scopes, vendorType, vendor = null, language, redirectUri, colorScheme = "system" } = body;
    if (vendor !== null && this.#parts.directory.linkable([vendorType], vendor).length === 0) {
      throw nothingToLink(vendor, vendorType);
    }
    if (this.#isFull(1)) {
      throw problem(
        "forbidden",
        "This gateway has as many linked devices as its configuration allows; unlink one or raise `linking.maxConnections`.",
        {
          title: "Connections limit reached.",
        },
      );
    }
    await this.#parts.users.ensure(userId);
    return await this.#sessions.begin({
      userId,
      appName,
      isOwnPage,
      vendor,
      vendorTypes: [...new Set([vendorType, ...typesIn(scopes)])],
      scopes,
      language,
      redirectUri,
      colorScheme,
      relinkDeviceId: null,
    });
  }

  async relink(assetId: string, body: RelinkBody, appName: string | null, isOwnPage = false): Promise<string> {
    const { language, redirectUri, colorScheme = "system" } = body;
    const { device, vendor } = this.#deviceToRelink(assetId);
    const scopes = device.scopes ?? [];
    return await this.#sessions.begin({
      userId: device.userId,
      appName,
      isOwnPage,
      vendor,
      vendorTypes: typesIn(scopes),
      scopes,
      language,
      redirectUri,
      colorScheme,
      relinkDeviceId: device.id,
    });
  }

  view(token: string, at?: string): LinkView | ClosedLink {
    const found = this.#sessions.find(token);
    if (found === null) return { closed: "unknown" };
    const { language, colorScheme, redirectUri, appName, isOwnPage = false, vendorTypes } = found.record;
    const ways = { language, colorScheme, redirectUri, isOwnPage };
    const known = this.#flows.get(found.record.hash)?.flow ?? null;
    const isOwnEnd = known?.isDone === true && known.at === at;
    if (found.state !== "open" && !isOwnEnd) return { closed: found.state, ...ways };
    const flow = known ?? this.#begin(found.record, token);
    if (flow === null) return { closed: "expired", ...ways };
    const now = flow.view();
    const isRelink = found.record.relinkDeviceId !== null;
    return { ...ways, appName, vendorTypes, isRelink, formKey: flow.formKey, now };
  }

  async answer(token: string, form: LinkForm, callbackUrl: string): Promise<string> {
    const found = this.#sessions.find(token);
    if (found === null || found.state !== "open") return "";
    const flow = this.#flows.get(found.record.hash)?.flow ?? this.#begin(found.record, token);
    await flow?.answer(form, callbackUrl);
    return flow?.at ?? "";
  }

  async returned(
    query: Readonly<Record<string, string>>,
    callbackUrl: string,
  ): Promise<{ readonly token: string; readonly at: string } | null> {
    for (const { flow, token } of this.#flows.values()) {
      if (query["state"] !== flow.callbackState) continue;
      if (this.#sessions.find(token)?.state === "open") await flow.returned(query, callbackUrl);
      return { token, at: flow.at };
    }
    return null;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#context.clock.sleep(SWEEP_MS, signal).catch(() => {});
      for (const [key, { flow }] of this.#flows) if (flow.idleMs() > IDLE_MS) this.#drop(key);
      if (signal.aborted) break;
      await this.#sessions.sweep().catch((err: unknown) => {
        this.#context.log.warn({ err }, "cannot delete old link sessions; will retry at the next sweep");
      });
    }
    for (const key of this.#flows.keys()) this.#drop(key);
  }

  forget(removal: Removal): readonly Write[] {
    return this.#concerned(removal).map((key) => ({ table: "link", key, remove: true }));
  }

  onForgotten(removal: Removal): void {
    const keys = this.#concerned(removal);
    for (const key of keys) this.#drop(key);
    this.#sessions.forget(keys);
  }

  /** Deleting a user or its authorization ends its sessions (rule I4.1); losing assets does not. */
  #concerned(removal: Removal): readonly string[] {
    return removal.kind === "assets" ? [] : this.#sessions.keysOf(removal.userId);
  }

  #drop(key: string): void {
    this.#flows.get(key)?.flow.end();
    this.#flows.delete(key);
  }

  /** Starts the session's flow; returns `null` if the device whose access it restores is gone. */
  #begin(record: LinkRecord, token: string): LinkFlow | null {
    const relink = record.relinkDeviceId === null ? null : this.#relinked(record.relinkDeviceId);
    if (record.relinkDeviceId !== null && relink === null) return null;
    const oldest = this.#flows.keys().next();
    if (this.#flows.size >= MAX_FLOWS && oldest.done !== true) this.#drop(oldest.value);
    const { clock, random, log, config } = this.#context;
    const configured = configuredOffer(record.userId, { ...this.#parts, config });
    const flow = new LinkFlow({
      clock,
      random,
      log: log.child({ part: "linking" }),
      record,
      directory: this.#parts.directory,
      relink,
      configured: configured === null ? [] : [configured],
      isLinked: (offer, key) => this.#linked(record.userId, offer, key) !== null,
      linkedOptions: (offer, key) => this.#linked(record.userId, offer, key)?.options ?? null,
      complete: (offer, scopes, devices) => this.#complete(record, offer, scopes, devices),
    });
    this.#flows.set(record.hash, { flow, token });
    return flow;
  }

  #relinked(deviceId: string): (GrantedOffer & { readonly key: string }) | null {
    const device = this.#parts.fleet.get(deviceId);
    const offer = device === null ? null : this.#offerOf(device);
    if (device?.link === undefined || offer === null) return null;
    return { offer, key: device.link.key, scopes: device.scopes ?? [] };
  }

  #offerOf({ adapter, link }: DeviceRecord): Offer | null {
    return (
      this.#parts.directory.offers.find((offer) => offer.adapter === adapter && offer.entry.id === link?.vendorId) ??
      null
    );
  }

  /** Returns the device behind an asset that has lost its authorization. Throws `bad-request` for all other assets. */
  #deviceToRelink(assetId: string): { readonly device: DeviceRecord; readonly vendor: string } {
    const { fleet, authorizations } = this.#parts;
    const known = this.#context.store.get("asset", assetId.toLowerCase());
    const device = known === null ? null : fleet.get(known.deviceId);
    if (known === null || device === null) throw problem("bad-request", `There is no linked asset "${assetId}".`);
    const offer = this.#offerOf(device);
    if (offer === null) throw problem("bad-request", `The asset "${assetId}" was not linked by a sign-in.`);
    const vendor = vendorFor(known.kind, offer.entry.vendors);
    const isLinked = device.isUnlinked !== true && authorizations.isValid(device.userId, vendor);
    if (isLinked) throw problem("bad-request", `The asset "${assetId}" is already linked.`);
    return { device, vendor };
  }

  #linked(userId: string, offer: Offer, key: string): DeviceRecord | null {
    const isIt = (device: DeviceRecord): boolean =>
      device.userId === userId && device.adapter === offer.adapter && device.link?.key === key;
    return this.#parts.fleet.list().find(isIt) ?? null;
  }

  /** True if `added` more devices exceed the configured maximum. */
  #isFull(added: number): boolean {
    const linked = this.#parts.fleet.list().filter(({ source }) => source === "linked").length;
    return linked + added > (this.#context.config.linking?.maxConnections ?? MAX_CONNECTIONS);
  }

  /** Stores new and already linked devices, and the session as used, in one commit. Returns a fault, else `null`. */
  async #complete(
    record: LinkRecord,
    offer: Offer,
    scopes: readonly string[],
    devices: readonly FoundDevice[],
  ): Promise<LinkFault | null> {
    const { fleet, authorizations } = this.#parts;
    if (isConfigured(offer)) {
      const keys = devices.map(({ key }) => key);
      await fleet.relink(keys, this.#sessions.using(record.hash));
      this.#sessions.used(record.hash);
      return null;
    }
    const isRelink = record.relinkDeviceId !== null;
    const chosen = devices.map((device) => ({ device, known: this.#linked(record.userId, offer, device.key) }));
    if (this.#isFull(chosen.filter(({ known }) => known === null).length)) return "too-many-devices";
    const { random, clock } = this.#context;
    const records = chosen.map(({ device, known }): DeviceRecord => {
      return {
        id: known?.id ?? random.uuid(),
        adapter: offer.adapter,
        options: device.options,
        source: "linked",
        userId: record.userId,
        name: device.name,
        scopes: isRelink ? (known?.scopes ?? null) : scopesToStore(scopes, device, known),
        createdAtMs: known?.createdAtMs ?? clock.nowMs(),
        link: { vendorId: device.vendorId ?? offer.entry.id, key: device.key },
      };
    });
    const codes = codesOf(offer, offer.entry.vendorTypes);
    const restoring = codes.flatMap((vendor) => authorizations.restoring(record.userId, vendor));
    const refusing = codes.flatMap((vendor) => authorizations.refusing(record.userId, vendor));
    await fleet.addAll(records, [...this.#sessions.using(record.hash), ...restoring]);
    this.#sessions.used(record.hash);
    this.#context.refresh();
    // Other devices of the account may be in a backoff of hours, and the new credentials may be valid for them too.
    const others = new Set(refusing.filter((id) => records.every((linked) => linked.id !== id)));
    await fleet.restart([...others]).catch((err: unknown) => {
      this.#context.log.warn({ err }, "cannot restart devices with refused credentials; they stay in their backoff");
    });
    return null;
  }
}

export function createLinking(context: LinkNeeds, parts: LinkParts): Feature<LinkService> {
  const service = new LinkService(context, parts);
  return { name: "linking", service, forgetter: service, loop: service };
}

/** Returns the scopes granted now for the device's kinds, and its earlier scopes for kinds that this session leaves out. */
function scopesToStore(
  scopes: readonly string[],
  { vendorTypes }: FoundDevice,
  known: DeviceRecord | null,
): readonly string[] {
  const current = scopes.filter((scope) => vendorTypes.some((type) => scope.startsWith(`${type}:`)));
  const types = typesIn(current);
  const earlier = (known?.scopes ?? []).filter((scope) => !types.some((type) => scope.startsWith(`${type}:`)));
  return [...earlier, ...current];
}

function nothingToLink(vendor: string, vendorType: AssetKind): Error {
  const detail = `This gateway links no ${vendorType} of ${vendor}; GET /integrations lists what it links.`;
  return problem("bad-request", detail, {
    issues: [{ code: "invalid_enum", path: ["vendor"], message: detail, in: "body" }],
  });
}
