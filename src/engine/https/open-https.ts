/** https beside http: which certificate it has, and that it stays a good one. */
import type { Config } from "../../config/config.ts";
import type { HttpsSettings } from "../../config/https-config.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import { instant } from "../../domain/fields.ts";
import type { HttpsView } from "../../domain/https/https-view.ts";
import { serverNames } from "../../domain/https/server-names.ts";
import {
  type CertificateFacts,
  certificateFacts,
  certificateProblem,
  isFor,
  validityProblem,
} from "../../platform/certificate-check.ts";
import { errorText } from "../../platform/error-text.ts";
import { addressBytes } from "../../platform/network/ip-network.ts";
import type { Files } from "../../platform/ports/files-port.ts";
import type { Clock, Log, Net, Random } from "../../platform/ports/ports.ts";
import type { ServerCertificate, TlsListen, TlsListener } from "../../platform/ports/tls-listener-port.ts";
import type { Store } from "../../store/store.ts";
import { AUTHORITY_PATH, type Https } from "../contracts/https/https.ts";
import { houseAuthority, knownAuthority, serverCertificate } from "./house-authority.ts";

/** How often files, addresses and dates are looked at. */
const LOOK_EVERY_MS = MINUTE_MS;
const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

export interface HttpsOptions {
  readonly config: Pick<Config, "http" | "https">;
  readonly store: Pick<Store, "get" | "commit">;
  readonly clock: Pick<Clock, "nowMs" | "quality" | "timer">;
  readonly random: Pick<Random, "secretBytes">;
  readonly net: Pick<Net, "interfaces" | "hostName">;
  readonly files: Files;
  readonly log: Log;
  /** `null`: nothing listens for https here. */
  readonly listen: TlsListen | null;
}

export interface OpenedHttps extends Https, AsyncDisposable {
  /**
   * Listens, if the configuration says so and there is a certificate, else as soon as there is one. `accept` takes the
   * connections. Rejects if the address cannot be had.
   */
  start(accept: (connection: object) => void): Promise<void>;
}

/** Makes the gateway's https, which listens after `start`. Disposing it ends its connections. */
export function openHttps(options: HttpsOptions): OpenedHttps {
  return new HouseHttps(options);
}

interface InUse {
  readonly pair: ServerCertificate;
  readonly facts: CertificateFacts;
}

class HouseHttps implements OpenedHttps {
  readonly #options: HttpsOptions;
  readonly #settings: HttpsSettings | undefined;
  readonly #log: Log;
  #listener: TlsListener | null = null;
  #inUse: InUse | null = null;
  /** What is wrong with what should be used. */
  #problem: string | null = null;
  /** The problem that is in the log. */
  #reported: string | null = null;
  #timer: Disposable | null = null;
  #isClosed = false;

  constructor(options: HttpsOptions) {
    this.#options = options;
    this.#settings = options.listen === null ? undefined : options.config.https;
    this.#log = options.log.child({ part: "https" });
  }

  async start(accept: (connection: object) => void): Promise<void> {
    if (this.#settings === undefined) return;
    await this.#look(accept);
    this.#lookLater(accept);
  }

  state(): Omit<HttpsView, "isThisEncrypted"> {
    const certificate = this.#inUse?.facts;
    return {
      source: this.#source(),
      isListening: this.#listener !== null,
      port: this.#listener?.port ?? null,
      problem: this.#problem ?? this.#dateProblem(),
      certificate:
        certificate === undefined
          ? null
          : {
              names: [...certificate.names],
              validFrom: instant(certificate.fromMs),
              validUntil: instant(certificate.untilMs),
              fingerprint: certificate.fingerprint,
            },
      authority: this.#authorityView(),
    };
  }

  authority(): Uint8Array | null {
    const known = this.#source() === "authority" ? knownAuthority(this.#options) : null;
    return known === null ? null : certificateFacts(known.certificate).der;
  }

  pageFor(host: string): string | null {
    const name = host.replace(/:\d+$/u, "");
    if (this.#settings?.redirectsPage !== true || this.#listener === null || this.#inUse === null) return null;
    const isGood = this.state().problem === null && isFor(this.#inUse.pair.certificate, name);
    return isGood ? `https://${name}:${this.#listener.port}/` : null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    await this.#listener?.[Symbol.asyncDispose]();
    this.#listener = null;
  }

  #source(): HttpsView["source"] {
    if (this.#settings === undefined) return "off";
    return this.#settings.certFile === undefined ? "authority" : "files";
  }

  #authorityView(): HttpsView["authority"] {
    const known = this.#source() === "authority" ? knownAuthority(this.#options) : null;
    if (known === null) return null;
    const { fingerprint, untilMs } = certificateFacts(known.certificate);
    return { fingerprint, validUntil: instant(untilMs), path: AUTHORITY_PATH, domains: [...known.names] };
  }

  #dateProblem(): string | null {
    const { clock } = this.#options;
    if (this.#inUse === null || clock.quality() === "unset") return null;
    return validityProblem(this.#inUse.facts, clock.nowMs());
  }

  #lookLater(accept: (connection: object) => void): void {
    this.#timer = this.#options.clock.timer(LOOK_EVERY_MS, () => {
      void this.#look(accept)
        .catch((error: unknown) => {
          this.#problem = errorText(error);
          this.#report();
        })
        .finally(() => {
          if (!this.#isClosed) this.#lookLater(accept);
        });
    });
  }

  /** Takes the certificate that should be used now, if it is another one. */
  async #look(accept: (connection: object) => void): Promise<void> {
    const found = await this.#find().catch((error: unknown) => errorText(error));
    this.#problem = typeof found === "string" ? found : null;
    if (typeof found !== "string" && found.certificate !== this.#inUse?.pair.certificate)
      await this.#use(found, accept);
    this.#report();
  }

  /** Logs what is wrong once. */
  #report(): void {
    const problem = this.#problem ?? this.#dateProblem();
    const isNew = problem !== null && problem !== this.#reported;
    this.#reported = problem;
    if (!isNew) return;
    const goesOn = this.#inUse === null ? "https is not answered" : "https goes on with the certificate that it has";
    this.#log.error({ problem }, `https needs another certificate; ${goesOn}`);
  }

  async #use(pair: ServerCertificate, accept: (connection: object) => void): Promise<void> {
    const { listen, config } = this.#options;
    if (listen === null || this.#settings === undefined || this.#isClosed) return;
    if (this.#listener === null) {
      this.#listener = await listen({ host: config.http.host, port: this.#settings.port }, pair, accept);
    } else this.#listener.use(pair);
    this.#inUse = { pair, facts: certificateFacts(pair.certificate) };
    const { names, untilMs } = this.#inUse.facts;
    const authority = this.#authorityView()?.fingerprint ?? null;
    this.#log.info(
      { port: this.#listener.port, names, validUntil: instant(untilMs), authority },
      "https is answered with this certificate",
    );
  }

  /** Returns the certificate that should be used, or what is wrong with it. */
  async #find(): Promise<ServerCertificate | string> {
    const { certFile, keyFile } = this.#settings ?? {};
    if (certFile !== undefined && keyFile !== undefined) return await this.#fromFiles(certFile, keyFile);
    const { config, net } = this.#options;
    const { host, names = [] } = config.http;
    const addresses = EVERY_ADDRESS.has(host) ? net.interfaces().map(({ address }) => address) : [host];
    const own = [...names, ...addresses.filter((each) => addressBytes(each) === null)];
    const server = {
      hostName: net.hostName(),
      names: own,
      addresses: addresses.filter((each) => addressBytes(each) !== null),
    };
    const authority = await houseAuthority(this.#options, own);
    return await serverCertificate(this.#options, authority, serverNames(server));
  }

  async #fromFiles(certFile: string, keyFile: string): Promise<ServerCertificate | string> {
    const { files } = this.#options;
    const [certificate, privateKeyPem] = [await files.read(certFile), await files.read(keyFile)];
    const problem = certificateProblem({ certificate, privateKeyPem });
    return problem === null ? { certificate, privateKeyPem } : `${certFile} with ${keyFile}: ${problem}`;
  }
}
