import { type AdapterContext, Shares } from "hemgate/sdk";
import { HttpLine, type LineAddress } from "./http-line.ts";

/** A share in a line. The last one to be disposed closes it. */
export interface LineShare extends Disposable {
  readonly line: HttpLine;
}

/** The lines in use, one a host and port: most devices serve one request at a time. */
export class LineRegistry implements Disposable {
  readonly #world: Pick<AdapterContext, "clock" | "random" | "http" | "log">;
  readonly #lines = new Shares<HttpLine>();
  /** Certificates that were trusted at first sight, for as long as the gateway runs. */
  readonly #trusted = new Map<string, string>();

  constructor(world: Pick<AdapterContext, "clock" | "random" | "http" | "log">) {
    this.#world = world;
  }

  /** The caller disposes the share. */
  share(address: LineAddress): LineShare {
    const place = `${address.scheme}://${address.host.toLowerCase()}:${address.port}`;
    const fingerprint = address.fingerprint ?? this.#trusted.get(place) ?? null;
    const key = `${place} ${fingerprint ?? "first"} ${address.serverName ?? ""}`;
    const make = (): HttpLine => new HttpLine(this.#world, { ...address, fingerprint });
    const share = this.#lines.take(key, make, (line) => this.#remember(place, line));
    return { line: share.thing, [Symbol.dispose]: () => share[Symbol.dispose]() };
  }

  /** Keeps to the certificate that a device showed first, also over new connections. */
  #remember(place: string, { fingerprint, address }: HttpLine): void {
    if (fingerprint === null || address.fingerprint !== null || this.#trusted.has(place)) return;
    this.#trusted.set(place, fingerprint);
    this.#world.log.info({ place, fingerprint }, "certificate trusted at first sight");
  }

  [Symbol.dispose](): void {
    this.#lines[Symbol.dispose]();
  }
}
