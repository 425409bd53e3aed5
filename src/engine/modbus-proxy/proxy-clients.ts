import type { ModbusProxySettings } from "../../config/modbus-proxy-config.ts";
import { noCounts, type ProxyClientState, type ProxyCounts } from "../../domain/modbus-proxy/proxy-state.ts";
import { refuseAddress } from "../../platform/network/address-policy.ts";
import { type IpNetwork, parseNetwork } from "../../platform/network/ip-network.ts";

/** Machines whose requests are counted; the one that connected longest ago goes first. */
const MAX_SEEN = 100;

interface Rule {
  readonly network: IpNetwork;
  readonly address: string;
  readonly name: string | null;
  readonly mayWrite: readonly string[];
}

/** A machine that has connected. */
export class ProxyClient {
  readonly address: string;
  readonly name: string | null;
  readonly mayWrite: readonly string[];
  connections = 0;
  readonly counts: { -readonly [Name in keyof ProxyCounts]: number } = noCounts();

  constructor(address: string, { name, mayWrite }: Pick<Rule, "name" | "mayWrite">) {
    this.address = address;
    this.name = name;
    this.mayWrite = mayWrite;
  }

  state(): ProxyClientState {
    const { address, name, mayWrite, connections, counts } = this;
    return { address, name, mayWrite: [...mayWrite], connections, counts: { ...counts } };
  }
}

/** Who may connect, and what they did. */
export class ProxyClients {
  /** The most exact first; null: every machine in the house, to read. */
  readonly #rules: readonly Rule[] | null;
  /** The one that connected longest ago first. */
  readonly #seen = new Map<string, ProxyClient>();

  constructor(clients: ModbusProxySettings["clients"]) {
    const rules = clients?.flatMap(({ address, name, mayWrite }): Rule[] => {
      const network = parseNetwork(address);
      return network === null ? [] : [{ network, address, name: name ?? null, mayWrite }];
    });
    this.#rules = rules?.toSorted((a, b) => b.network.bits - a.network.bits) ?? null;
  }

  /** Returns the machine at an address; `null` if it may not connect. */
  admit(address: string): ProxyClient | null {
    const rule = this.#ruleFor(address);
    if (rule === null) return null;
    const client = this.#seen.get(address) ?? new ProxyClient(address, rule);
    this.#seen.delete(address);
    this.#seen.set(address, client);
    for (const [oldest, { connections }] of this.#seen) {
      if (this.#seen.size <= MAX_SEEN) break;
      if (connections === 0 && oldest !== address) this.#seen.delete(oldest);
    }
    return client;
  }

  /** The machines that have connected, then those of the configuration that have not. */
  list(): ProxyClientState[] {
    const seen = [...this.#seen.values()];
    const unseen = (this.#rules ?? []).filter(({ network }) => !seen.some(({ address }) => network.has(address)));
    return [...seen, ...unseen.map((rule) => new ProxyClient(rule.address, rule))].map((client) => client.state());
  }

  #ruleFor(address: string): Pick<Rule, "name" | "mayWrite"> | null {
    if (this.#rules === null) return refuseAddress(address, "house") === null ? { name: null, mayWrite: [] } : null;
    return this.#rules.find(({ network }) => network.has(address)) ?? null;
  }
}
