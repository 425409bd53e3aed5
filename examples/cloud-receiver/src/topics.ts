/** The topics of docs/cloud-uplinks.md, from the cloud service's side. */
import { GatewayId } from "hemgate/cloud-protocol";

export type Arrival =
  | { readonly gateway: string; readonly what: "frame" }
  | { readonly gateway: string; readonly what: "presence" };

export class Topics {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Filter for all that gateways send. */
  get up(): string {
    return `${this.#prefix}/+/up/#`;
  }

  /** Null: not one of ours. The broker let the gateway write there, so the topic says who it is. */
  read(topic: string): Arrival | null {
    if (!topic.startsWith(`${this.#prefix}/`)) return null;
    const [gateway, direction, what] = topic.slice(this.#prefix.length + 1).split("/");
    if (direction !== "up" || !GatewayId.safeParse(gateway).success || gateway === undefined) return null;
    return { gateway, what: what === "presence" ? "presence" : "frame" };
  }

  down(gateway: string, kind: string): string {
    return `${this.#prefix}/${gateway}/down/${kind}`;
  }
}
