import {
  type Clock,
  DeviceError,
  type DeviceRegisters,
  type RegisterException,
  type RegisterRange,
  type RegisterWrite,
} from "hemgate/sdk";
import { NoAnswer } from "../bus/bus-link.ts";
import type { ModbusUnit } from "./register-point.ts";
import type { SameDevice } from "./same-device.ts";

/** Reads that are remembered; the oldest go first. */
const MAX_KEPT = 64;
/**
 * Registers to which the device was silent are not asked for again for this long, ms: each silence costs a time limit and
 * the connection.
 */
const SILENT_MS = 60_000;
/** After such a silence nothing is passed on for this long, ms, so that the gateway's own polls come through. */
const PAUSE_MS = 3_000;

interface KeptRead extends RegisterRange {
  readonly registers: Uint16Array;
  /** Monotonic ms at which it was asked for: the values are not older. */
  readonly askedAtMs: number;
}

export interface SharedRegistersParts {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly guest: NonNullable<ModbusUnit["guest"]>;
  readonly same: Pick<SameDevice, "check">;
}

/** A device's registers for other programs: what was read last, and requests that go out as a guest's. */
export class SharedRegisters implements DeviceRegisters {
  readonly #parts: SharedRegistersParts;
  /** By table, address and count; the one that was read longest ago first. */
  readonly #kept = new Map<string, KeptRead>();
  /** Monotonic ms until which ranges that stayed silent are not asked for. */
  readonly #silent = new Map<string, number>();
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  /** Monotonic ms of the last write: what was asked for before may be what it replaced. */
  #writtenAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(parts: SharedRegistersParts) {
    this.#parts = parts;
  }

  /** Keeps what was read. */
  keep({ table, address, count }: RegisterRange, registers: Uint16Array, askedAtMs: number): void {
    if (askedAtMs <= this.#writtenAtMs) return;
    const key = keyOf({ table, address, count });
    this.#kept.delete(key);
    // A copy: the buffer that it stands in also holds other answers.
    this.#kept.set(key, { table, address, count, registers: registers.slice(), askedAtMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
  }

  /** Something was written: what was read before may not be so any more. */
  forget(): void {
    this.#writtenAtMs = this.#parts.clock.monotonicMs();
    this.#kept.clear();
  }

  close(): void {
    this.#isClosed = true;
    this.#kept.clear();
  }

  /** One read has to cover the range: parts of two would be of different moments, also within a value of two registers. */
  recent({ table, address, count }: RegisterRange, maxAgeMs: number): Uint16Array | null {
    const notBeforeMs = this.#parts.clock.monotonicMs() - maxAgeMs;
    let found: KeptRead | null = null;
    for (const kept of this.#kept.values()) {
      if (kept.table !== table || kept.address > address || kept.address + kept.count < address + count) continue;
      if (kept.askedAtMs >= notBeforeMs && (found === null || kept.askedAtMs > found.askedAtMs)) found = kept;
    }
    if (found === null) return null;
    const start = address - found.address;
    return found.registers.subarray(start, start + count);
  }

  async read(range: RegisterRange, signal: AbortSignal): Promise<Uint16Array> {
    this.#refuseWhileSilent(range);
    await this.#parts.same.check(signal);
    const askedAtMs = this.#parts.clock.monotonicMs();
    const registers = await this.#parts.guest.read(range, signal).catch((error: unknown) => this.#failed(range, error));
    this.keep(range, registers, askedAtMs);
    return registers;
  }

  async write(
    write: RegisterWrite,
    refusal: () => RegisterException | null,
    signal: AbortSignal,
  ): Promise<Uint16Array> {
    this.#refuseWhenClosed();
    await this.#parts.same.check(signal);
    try {
      return await this.#parts.guest.write(write, refusal, signal);
    } finally {
      this.forget();
    }
  }

  #refuseWhileSilent(range: RegisterRange): void {
    this.#refuseWhenClosed();
    const nowMs = this.#parts.clock.monotonicMs();
    for (const [key, untilMs] of this.#silent) if (untilMs <= nowMs) this.#silent.delete(key);
    if (!this.#silent.has(keyOf(range)) && nowMs >= this.#pausedUntilMs) return;
    throw new DeviceError("unreachable", "the device did not answer another program shortly before", {
      reason: "timeout",
    });
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new DeviceError("unreachable", "the device is disconnected", { reason: "unavailable" });
  }

  #failed(range: RegisterRange, error: unknown): never {
    if (error instanceof NoAnswer) {
      const nowMs = this.#parts.clock.monotonicMs();
      this.#silent.set(keyOf(range), nowMs + SILENT_MS);
      this.#pausedUntilMs = nowMs + PAUSE_MS;
    }
    throw error;
  }
}

function keyOf({ table, address, count }: RegisterRange): string {
  return `${table} ${address} ${count}`;
}
