import {
  type AdapterContext,
  choicesProblem,
  confirmedControls,
  confirmedNoFailsafe,
  type Driver,
  defineAdapter,
  type KnownParts,
  NotedParts,
  type RunningAdapter,
} from "hemgate/sdk";
import { z } from "zod";
import { HttpDiscovery } from "./discovery/http-discovery.ts";
import { connectHttp } from "./http-connect.ts";
import { HTTP_VENDORS, HttpLinking } from "./http-linking.ts";
import type { HttpProfile } from "./http-profile.ts";
import { KNOWN_HTTP_PROFILES } from "./known-http-profiles.ts";
import { LineRegistry, type LineShare } from "./line-registry.ts";
import { SessionStore } from "./sessions/session-store.ts";

/** The note of the certificate that a device showed first: its SHA-256. */
const CERTIFICATE = "certificate";
const POLL_LIMITS_MS = { min: 500, max: 86_400_000 };
/** Longer than any password, or token with claims. */
const MAX_SECRET = 4_000;

const pollMs = z.int().min(POLL_LIMITS_MS.min).max(POLL_LIMITS_MS.max).optional();
const secret = z.string().min(1).max(MAX_SECRET).optional();

const OPTIONS = z.object({
  host: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]{1,253}$/, "is no name or IP address")
    .meta({ description: "Name or IP address of the device." }),
  port: z.int().min(1).max(65_535).optional().meta({ description: "TCP port; default that of the profile." }),
  scheme: z.enum(["http", "https"]).optional().meta({ description: "Default that of the profile." }),
  profile: z.enum(KNOWN_HTTP_PROFILES.map(({ id }) => id)).meta({ description: "What the device is." }),
  username: z.string().min(1).max(200).optional().meta({ description: "Default the one that the device has." }),
  password: secret.meta({ description: "Of the device itself, where it asks for one." }),
  token: secret.meta({ description: "Of the device, where it asks for one; docs/http-devices.md says how to get it." }),
  fingerprint: z
    .string()
    .regex(/^([0-9a-fA-F]{2}:?){31}[0-9a-fA-F]{2}$/, "is not the SHA-256 of a certificate")
    .optional()
    .meta({
      description: "SHA-256 of the device's own certificate; default the first one that it shows, from then on.",
    }),
  settings: z
    .record(z.string().max(40), z.number())
    .default({})
    .meta({ description: "Numbers that the profile asks for, such as channel; docs/http-devices.md names them." }),
  confirmUnverified: confirmedControls("controls that no two sources agree on"),
  confirmNoFailsafe: confirmedNoFailsafe("device"),
  pollMs: z
    .strictObject({ fast: pollMs, normal: pollMs, slow: pollMs })
    .prefault({})
    .meta({ description: "How often points are read, ms: power and states, what drifts, what hardly changes." }),
});
export type HttpOptions = z.infer<typeof OPTIONS>;

/** Devices in the house that answer requests by HTTP. */
export const httpJsonAdapter = defineAdapter({
  name: "http-json",
  options: OPTIONS,
  check: (options) => choicesProblem(profileOf(options), options),
  linking: HTTP_VENDORS,
  start: (context) => new HttpJsonAdapter(context),
});

class HttpJsonAdapter implements RunningAdapter<HttpOptions> {
  readonly #context: AdapterContext;
  readonly #lines: LineRegistry;
  readonly #sessions: SessionStore;
  readonly linking: HttpLinking;
  readonly discovery: HttpDiscovery;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.#lines = new LineRegistry(context);
    this.#sessions = new SessionStore(context);
    this.discovery = new HttpDiscovery({
      context,
      profiles: KNOWN_HTTP_PROFILES,
      connect: async (values, signal) => await this.#connectOnce(OPTIONS.parse(values), signal),
    });
    this.linking = new HttpLinking({
      clock: context.clock,
      net: context.net,
      connect: async (values, signal) => {
        const options = OPTIONS.parse(values);
        const profile = profileOf(options);
        using share = this.#share(profile, options);
        const driver = await this.#connect(profile, share, options, signal);
        return { driver, fingerprint: share.line.fingerprint };
      },
      open: (values) => {
        const options = OPTIONS.parse(values);
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
