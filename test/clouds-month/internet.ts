/** The way out of the house: vendors' names, and whether they are reached. */
import type { SimWeb } from "../../src/testing/network/sim-web.ts";
import type { SimWebSockets } from "../../src/testing/network/sim-websockets.ts";
import type { Trouble, Vendor } from "./vendor.ts";

export class Internet {
  readonly #web: SimWeb;
  readonly #webSockets: SimWebSockets;
  readonly #addresses: string[] = [];
  /** Vendors that push, by the name that they do it at. */
  readonly #hubs = new Map<string, Vendor>();
  /** `unresolved`: no name is known. `silent`: packets vanish. */
  #fault: "unresolved" | "silent" | null = null;

  constructor(web: SimWeb, webSockets: SimWebSockets) {
    this.#web = web;
    this.#webSockets = webSockets;
  }

  get isAway(): boolean {
    return this.#fault !== null;
  }

  join(vendor: Vendor): void {
    const { hosts, hub } = vendor.estate.twin;
    vendor.onTrouble = (trouble) => this.#strike(vendor, trouble);
    for (const host of hosts) {
      const address = `93.184.216.${10 + this.#addresses.length}`;
      this.#addresses.push(address);
      this.#web.name(host, () => (this.#fault === "unresolved" ? [] : [address]));
      const served = { serve: vendor.serve.bind(vendor), certificate: [host], ...(hub !== undefined && { hub }) };
      this.#web.listen(address, 443, served);
      if (hub !== undefined) this.#hubs.set(host, vendor);
    }
  }

  fail(fault: "unresolved" | "silent"): void {
    this.#fault = fault;
    if (fault === "silent") for (const address of this.#addresses) this.#web.blackHoles.add(address);
    // Nobody is told that what is open carries nothing any more.
    for (const host of this.#hubs.keys()) this.#webSockets.silent.add(host);
  }

  mend(): void {
    this.#fault = null;
    this.#web.blackHoles.clear();
    for (const [host, { trouble }] of this.#hubs) if (trouble !== "hang") this.#revive(host);
  }

  /** What a vendor's trouble does to what it pushes. */
  #strike(vendor: Vendor, trouble: Trouble | null): void {
    for (const [host, other] of this.#hubs) {
      if (other !== vendor) continue;
      if (trouble === "hang") this.#webSockets.silent.add(host);
      else if (!this.isAway) this.#revive(host);
    }
  }

  /** What was sent meanwhile is lost, and the connection with it. */
  #revive(host: string): void {
    this.#webSockets.silent.delete(host);
    this.#webSockets.cut(host);
  }
}
