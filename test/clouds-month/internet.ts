/** The way out of the house: vendors' names, and whether they are reached. */
import type { SimWeb } from "../../src/testing/sim-web.ts";
import type { Vendor } from "./vendor.ts";

export class Internet {
  readonly #web: SimWeb;
  readonly #addresses: string[] = [];
  /** `unresolved`: no name is known. `silent`: packets vanish. */
  #fault: "unresolved" | "silent" | null = null;

  constructor(web: SimWeb) {
    this.#web = web;
  }

  get isAway(): boolean {
    return this.#fault !== null;
  }

  join(vendor: Vendor): void {
    for (const host of vendor.estate.twin.hosts) {
      const address = `93.184.216.${10 + this.#addresses.length}`;
      this.#addresses.push(address);
      this.#web.name(host, () => (this.#fault === "unresolved" ? [] : [address]));
      this.#web.listen(address, 443, { serve: (request) => vendor.serve(request), certificate: [host] });
    }
  }

  fail(fault: "unresolved" | "silent"): void {
    this.#fault = fault;
    if (fault === "silent") for (const address of this.#addresses) this.#web.blackHoles.add(address);
  }

  mend(): void {
    this.#fault = null;
    this.#web.blackHoles.clear();
  }
}
