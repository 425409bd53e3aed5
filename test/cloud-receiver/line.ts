/** A gateway and a broker in two network namespaces, with a line between them that can be cut. Needs root. */
import { execFileSync } from "node:child_process";
import type { Place } from "./brokers.ts";

/** For tests of networks (RFC 2544): nobody else has these. */
const NET = "198.18";
/** Networks of this process, so that two runs have others. */
const OCTET = process.pid % 125;
const RULES = `table inet cut {
  chain inwards { type filter hook input priority 0; policy drop; }
  chain outwards { type filter hook output priority 0; policy drop; }
}
`;

/** `drop`: a firewall swallows all packets without a word. `unplugged`: the link goes down. */
export const CUTS = ["drop", "unplugged"] as const;
export type Cut = (typeof CUTS)[number];

/**
 * Two namespaces: the gateway's has the line to the broker only; the broker's another one to us, for the receiver. Throws
 * where namespaces may not be made.
 */
export class Line implements Disposable {
  /** Words before a command of the gateway. */
  readonly enterGateway: readonly string[];
  readonly broker: Place;
  readonly #gateway = `hemgate-g${process.pid}`;
  readonly #cloud = `hemgate-b${process.pid}`;
  /** Names of links have 15 characters at most. */
  readonly #link = `hg${process.pid}`;

  constructor() {
    this.enterGateway = enter(this.#gateway);
    // The broker listens in both networks; the first address is what the gateway knows.
    this.broker = { host: `${NET}.${OCTET}.2`, enter: enter(this.#cloud) };
    try {
      this.#lay();
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  cut(how: Cut): void {
    if (how === "drop") ip(["netns", "exec", this.#gateway, "nft", "-f", "-"], RULES);
    else ip(["-n", this.#gateway, "link", "set", this.#link, "down"]);
  }

  mend(how: Cut): void {
    if (how === "drop") ip(["netns", "exec", this.#gateway, "nft", "delete", "table", "inet", "cut"]);
    else ip(["-n", this.#gateway, "link", "set", this.#link, "up"]);
  }

  /** Links go with their namespaces. */
  [Symbol.dispose](): void {
    const there = ip(["netns", "list"]);
    for (const name of [this.#gateway, this.#cloud]) if (there.includes(name)) ip(["netns", "delete", name]);
  }

  #lay(): void {
    for (const name of [this.#gateway, this.#cloud]) {
      ip(["netns", "add", name]);
      ip(["-n", name, "link", "set", "lo", "up"]);
    }
    ip(["-n", this.#gateway, "link", "add", this.#link, "type", "veth", "peer", "name", "line", "netns", this.#cloud]);
    ip(["link", "add", this.#link, "type", "veth", "peer", "name", "house", "netns", this.#cloud]);
    const gateway: readonly string[] = ["-n", this.#gateway];
    const cloud: readonly string[] = ["-n", this.#cloud];
    const addresses = [
      [gateway, `${NET}.${OCTET}.1/24`, this.#link],
      [cloud, `${NET}.${OCTET}.2/24`, "line"],
      [[], `${NET}.${OCTET + 125}.1/24`, this.#link],
      [cloud, `${NET}.${OCTET + 125}.2/24`, "house"],
    ] as const;
    for (const [where, address, link] of addresses) {
      ip([...where, "address", "add", address, "dev", link]);
      ip([...where, "link", "set", link, "up"]);
    }
    // Who comes by the other network is answered there: the broker's first address is reached through it, too.
    ip(["route", "add", `${NET}.${OCTET}.2/32`, "via", `${NET}.${OCTET + 125}.2`]);
  }
}

function enter(namespace: string): readonly string[] {
  return ["ip", "netns", "exec", namespace];
}

/** What it says. Throws with its complaint. */
function ip(words: readonly string[], input = ""): string {
  return execFileSync("ip", [...words], { input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
}
