import type { Mqtt5Message, Mqtt5Request, MqttVersion } from "../../platform/ports/mqtt5-port.ts";
import type { MemorySessions } from "../memory-sessions.ts";

/** An open connection of a client, as the behaviour of its broker ends or silences it. */
export interface BehaviourConnection {
  disconnected(reasonCode: number, serverReference: string | null): void;
  silenced(): void;
}

/** Sets how a memory broker speaks MQTT 5; tests change it. */
export class Mqtt5Behaviour {
  receiveMaximum = 20;
  maxPacketBytes = 1_048_576;
  /** What it answers a CONNECT instead of taking it; null: it asks its access. */
  refusal: { readonly reasonCode: number; readonly serverReference?: string } | null = null;
  /** What it speaks. It refuses the other one, or ends the connection without a word. */
  versions: readonly MqttVersion[] = ["5"];
  isWordlessToOthers = false;
  /** The reason code of its PUBACK: 128 and more are refusals. Null: it never acknowledges. */
  acknowledge: (message: Mqtt5Message) => number | null = () => 0;
  /** CONNECTs that came, oldest first. */
  readonly connects: Mqtt5Request[] = [];
  readonly sessions: MemorySessions;
  readonly #open = new Set<BehaviourConnection>();
  #isSilent = false;

  constructor(sessions: MemorySessions) {
    this.sessions = sessions;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Makes the broker neither receive nor send, as behind a network that lost its state, until `silence(false)`. */
  silence(isSilent = true): void {
    this.#isSilent = isSilent;
    if (isSilent) for (const connection of [...this.#open]) connection.silenced();
  }

  /** Ends all connections with a DISCONNECT. */
  disconnect(reasonCode: number, serverReference: string | null = null): void {
    for (const connection of [...this.#open]) connection.disconnected(reasonCode, serverReference);
  }

  /** Connections that are open. */
  get count(): number {
    return this.#open.size;
  }

  add(connection: BehaviourConnection): void {
    this.#open.add(connection);
  }

  remove(connection: BehaviourConnection): void {
    this.#open.delete(connection);
  }
}
