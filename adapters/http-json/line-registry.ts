import type { AdapterContext } from "hemgate/sdk";
import { HttpLine, type LineAddress } from "./http-line.ts";

/** A share in a line. The last one to be disposed closes it. */
export interface LineShare extends Disposable {
  readonly line: HttpLine;
}

/** The lines in use, one a host and port: most devices serve one request at a time. */
export class LineRegistry implements Disposable {
  readonly #world: Pick<AdapterContext, "clock" | "random" | "http" | "log">;
  readonly #lines = new Map<string, { readonly line: HttpLine; shares: number }>();
  /** Certificates that were trusted at first sight, for as long as the gateway runs. */
  readonly #trusted = new Map<string, string>();

  constructor(world: Pick<AdapterContext, "clock" | "random" | "http" | "log">) {
    this.#world = world;
  }

  /** The caller disposes the share. */
  share(wanted: LineAddress): LineShare {
    const place = `${wanted.scheme}://${wanted.host.toLowerCase()}:${wanted.port}`;
    const fingerprint = wanted.fingerprint ?? this.#trusted.get(place) ?? null;
    const key = `${place} ${fingerprint ?? "first"} ${wanted.serverName ?? ""}`;
    const entry = this.#lines.get(key) ?? { line: new HttpLine(this.#world, { ...wanted, fingerprint }), shares: 0 };
    this.#lines.set(key, entry);
    entry.shares += 1;
    let isHeld = true;
    return {
      line: entry.line,
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#remember(place, entry.line);
        entry.shares -= 1;
        if (entry.shares > 0) return;
        this.#lines.delete(key);
        entry.line[Symbol.dispose]();
      },
    };
  }

  /** Keeps to the certificate that a device showed first, also over new connections. */
  #remember(place: string, { fingerprint, address }: HttpLine): void {
    if (fingerprint === null || address.fingerprint !== null || this.#trusted.has(place)) return;
    this.#trusted.set(place, fingerprint);
    this.#world.log.info({ place, fingerprint }, "certificate trusted at first sight");
  }

  [Symbol.dispose](): void {
    for (const { line } of this.#lines.values()) line[Symbol.dispose]();
    this.#lines.clear();
  }
}
