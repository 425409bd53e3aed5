/** The half of the adapter that is loaded with its first device: profiles, connections, links, searches. */
import { type AdapterContext, type Driver, type KnownParts, NotedParts, type RunningAdapter } from "hemgate/sdk";
import { HttpDiscovery } from "./discovery/http-discovery.ts";
import { connectHttp } from "./http-connect.ts";
import type { HttpOptions } from "./http-json-adapter.ts";
import { HttpLinking } from "./http-linking.ts";
import type { HttpProfile } from "./http-profile.ts";
import { KNOWN_HTTP_PROFILES } from "./known-http-profiles.ts";
import { LineRegistry, type LineShare } from "./line-registry.ts";
import { SessionStore } from "./sessions/session-store.ts";

/** The note of the certificate that a device showed first: its SHA-256. */
const CERTIFICATE = "certificate";
/** What the adapter knows before its first device. */
export interface HttpTerms {
  /** Parses the options of a device that is being linked or searched for. Throws when they are wrong. */
  parse(options: Readonly<Record<string, unknown>>): HttpOptions;
}

export class RunningHttp implements RunningAdapter<HttpOptions> {
  readonly #context: AdapterContext;
  readonly #lines: LineRegistry;
  readonly #sessions: SessionStore;
  readonly linking: HttpLinking;
  readonly discovery: HttpDiscovery;

  constructor(context: AdapterContext, { parse }: HttpTerms) {
    this.#context = context;
    this.#lines = new LineRegistry(context);
    this.#sessions = new SessionStore(context);
    this.discovery = new HttpDiscovery({
      context,
      profiles: KNOWN_HTTP_PROFILES,
      connect: async (values, signal) => await this.#connectOnce(parse(values), signal),
    });
    this.linking = new HttpLinking({
      clock: context.clock,
      net: context.net,
      connect: async (values, signal) => {
        const options = parse(values);
        const profile = profileOf(options);
        using share = this.#share(profile, options);
        const driver = await this.#connect(profile, share, options, signal);
        return { driver, fingerprint: share.line.fingerprint };
      },
      open: (values) => {
        const options = parse(values);
        return this.#share(profileOf(options), options);
      },
    });
  }

  /** A device is known by the certificate that it showed first, over restarts, until its entry names another one. */
  async connect(deviceId: string, options: HttpOptions, signal: AbortSignal): Promise<Driver> {
    const profile = profileOf(options);
    const trusted = options.fingerprint ?? this.#context.notes.get(deviceId, CERTIFICATE);
    const address = trusted === null ? options : { ...options, fingerprint: trusted };
    using share = this.#share(profile, address);
    const knownParts = new NotedParts(this.#context.notes, deviceId);
    const driver = await this.#connect(profile, share, address, signal, knownParts);
    await this.#keepCertificate(deviceId, share.line.fingerprint);
    return driver;
  }

  /** The disk may refuse: the next connection tries again. */
  async #keepCertificate(deviceId: string, fingerprint: string | null): Promise<void> {
    const { notes, log } = this.#context;
    if (fingerprint === null) return;
    await notes.put(deviceId, CERTIFICATE, fingerprint).catch((err: unknown) => {
      log.warn({ err, deviceId }, "certificate not kept yet");
    });
  }

  async #connectOnce(options: HttpOptions, signal: AbortSignal): Promise<Driver> {
    const profile = profileOf(options);
    using share = this.#share(profile, options);
    return await this.#connect(profile, share, options, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#lines[Symbol.dispose]();
  }

  async #connect(
    profile: HttpProfile,
    { line }: LineShare,
    options: HttpOptions,
    signal: AbortSignal,
    knownParts: KnownParts = new Set(),
  ): Promise<Driver> {
    const resources = this.#share(profile, options);
    const { username = null, password = null, token = null, settings, pollMs: periods } = options;
    const { confirmUnverified, confirmNoFailsafe } = options;
    const session = this.#sessions.of(line.address, profile.auth, { username, password, token });
    const choices = { session, settings, confirmUnverified, confirmNoFailsafe, pollMs: periods, knownParts };
    try {
      return await connectHttp(profile, { line, resources }, choices, this.#context, signal);
    } catch (error) {
      resources[Symbol.dispose]();
      throw error;
    }
  }

  #share({ scheme, port, serverName }: HttpProfile, options: HttpOptions): LineShare {
    return this.#lines.share({
      scheme: options.scheme ?? scheme,
      host: options.host,
      port: options.port ?? port,
      fingerprint: options.fingerprint ?? null,
      serverName: serverName ?? null,
    });
  }
}

function profileOf({ profile }: Pick<HttpOptions, "profile">): HttpProfile {
  const found = KNOWN_HTTP_PROFILES.find(({ id }) => id === profile);
  if (found === undefined) throw new RangeError(`there is no profile ${profile}`);
  return found;
}
