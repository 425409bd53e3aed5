/** A cloud service in memory that keeps the contract of docs/cloud-protocol.md. */
import type { SyncRecord } from "../../../src/sync/protocol/batch.ts";
import { MAX_BATCH_BYTES, PROTOCOL_VERSION } from "../../../src/sync/protocol/limits.ts";
import type { ToCloud, ToGateway } from "../../../src/sync/protocol/messages.ts";
import { CloudMemory } from "./cloud-memory.ts";

/** Where the cloud service fails next, once. */
export type CloudFault = "before-commit" | "after-commit";

export class CloudTwin {
  /** Batches that a gateway may have on their way. */
  window = 8;
  maxBatchBytes = MAX_BATCH_BYTES;
  nowMs: () => number = () => 0;
  /** Told of each event when it has its effect, also when that is undone by a restored backup. */
  onEffect: (gateway: string, record: SyncRecord, epoch: string) => void = () => undefined;
  /** Why a record is not taken; null: it is. Its number counts as applied. */
  refuse: (record: SyncRecord) => string | null = () => null;
  #gateways = new Map<string, CloudMemory>();
  #fault: CloudFault | null = null;
  #batches = 0;

  /** Batches that were understood, those that came again among them. */
  get batches(): number {
    return this.#batches;
  }

  memory(gateway: string): CloudMemory {
    const known = this.#gateways.get(gateway) ?? new CloudMemory();
    this.#gateways.set(gateway, known);
    return known;
  }

  /** The next batch meets this. */
  failNext(fault: CloudFault): void {
    this.#fault = fault;
  }

  /** What brings the database back to how it is now. */
  backup(): () => void {
    const kept = [...this.#gateways].map(([name, memory]) => [name, memory.copy()] as const);
    return () => {
      this.#gateways = new Map(kept.map(([name, memory]) => [name, memory.copy()]));
    };
  }

  /** Takes a message and answers what is sent back once all it did is committed; null: nothing. */
  hear(gateway: string, message: ToCloud): ToGateway | null {
    const memory = this.memory(gateway);
    if (message.kind === "hello") {
      const { window, maxBatchBytes } = this;
      const met = memory.meet(message);
      const { meeting } = message;
      const shape = { v: PROTOCOL_VERSION, kind: "welcome", version: PROTOCOL_VERSION } as const;
      return { ...shape, gateway, meeting, ...met, window, maxBatchBytes, atMs: this.nowMs() };
    }
    const fault = this.#fault;
    this.#fault = null;
    this.#batches += 1;
    if (fault === "before-commit") return null;
    const known = memory.effects.length;
    const applied = memory.apply({
      ...message,
      records: message.records.filter((record) => this.refuse(record) === null),
    });
    for (const record of memory.effects.slice(known)) this.onEffect(gateway, record, message.epoch);
    if (fault === "after-commit" || applied === null) return null;
    const { stream, epoch } = message;
    const refused = message.records.flatMap((record) => {
      const reason = this.refuse(record);
      return reason === null ? [] : [{ from: record.seq, through: record.seq, reason }];
    });
    return { v: PROTOCOL_VERSION, kind: "ack", stream, epoch, ...applied, ...(refused.length > 0 && { refused }) };
  }
}
