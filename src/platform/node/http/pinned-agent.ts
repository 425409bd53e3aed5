import type { RequestOptions } from "node:http";
import { Agent, type AgentOptions } from "node:https";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect } from "node:tls";
import { CertificatePin } from "../../network/pinned-certificate.ts";
import type { PinnedCertificate } from "../../ports/ports.ts";

/** Connecting and shaking hands; small devices take seconds for their keys. */
const CONNECT_MS = 15_000;

/** Node does not pass a request's signal on to its agent, and aborts a request only after connecting has ended. */
export interface DialOptions {
  /** Aborted when nobody waits for the connection any more. */
  readonly dialSignal?: AbortSignal;
}

/** Connects only to a server with the pinned certificate; no byte of a request reaches any other. */
export class PinnedAgent extends Agent {
  readonly #pin: CertificatePin;
  readonly #serverName: string | undefined;

  constructor(policy: PinnedCertificate, options: AgentOptions) {
    // A resumed session would show no certificate.
    super({ ...options, maxCachedSessions: 0 });
    this.#pin = new CertificatePin(policy);
    this.#serverName = policy.serverName;
  }

  override createConnection(
    { host, port, lookup, servername, dialSignal }: RequestOptions & ConnectionOptions & DialOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const socket = connect({
      host: host ?? "",
      port: Number(port),
      ...(lookup !== undefined && { lookup }),
      servername: this.#serverName ?? servername ?? "",
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
    });
    // As Node's own agents do.
    socket.setNoDelay(true);
    const settle = (): void => {
      socket.removeListener("error", fail);
      socket.removeListener("timeout", tooLate);
      socket.setTimeout(0);
      dialSignal?.removeEventListener("abort", abandon);
    };
    const fail = (error: Error): void => {
      settle();
      // What it still says while it is destroyed is of no use to anybody.
      socket.on("error", () => undefined);
      socket.destroy();
      callback?.(error, socket);
    };
    const tooLate = (): void => fail(new Error(`no TLS connection within ${CONNECT_MS} ms`));
    const abandon = (): void => fail(new Error("nobody waits for the connection any more"));
    socket.once("error", fail);
    socket.setTimeout(CONNECT_MS, tooLate);
    dialSignal?.addEventListener("abort", abandon, { once: true });
    socket.once("secureConnect", () => {
      settle();
      try {
        this.#pin.check(host ?? "", socket.getPeerCertificate().fingerprint256);
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      callback?.(null, socket);
    });
    if (dialSignal?.aborted === true) abandon();
  }
}
