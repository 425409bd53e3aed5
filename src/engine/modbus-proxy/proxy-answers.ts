import type { ModbusProxySettings } from "../../config/modbus-proxy-config.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { TokenBuckets } from "../../platform/token-buckets.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import { DeviceError, OtherDeviceError } from "../../points/device-error.ts";
import { RegisterException, type RegisterWrite } from "../../sdk/registers.ts";
import type { Audit } from "../contracts/people.ts";
import type { ProxyClient } from "./proxy-clients.ts";
import {
  EXCEPTION,
  exceptionAnswer,
  type ProxyRequest,
  parseRequest,
  readAnswer,
  writeAnswer,
} from "./proxy-frames.ts";
import type { SharedDevice } from "./shared-device.ts";

/** How long a device may take, ms; programs wait for 5 to 10 s. */
const DEADLINE_MS = 5_000;
/** Requests of one machine: at once, and on average. A program that reads 500 registers a second needs a fraction of it. */
const REQUESTS = { capacity: 400, perMinute: 6_000, maxKeys: 100 } as const;
/** Writes of one machine: each is an entry of the audit log, and registers of many devices wear out. */
const WRITES = { capacity: 60, perMinute: 120, maxKeys: 100 } as const;

export interface ProxyAnswersParts {
  readonly clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly log: Pick<Log, "info" | "error">;
  readonly audit: Pick<Audit, "note">;
  readonly settings: Pick<ModbusProxySettings, "devices" | "maxAgeMs">;
  /** Returns a device; `null` if there is none with this id. */
  sharedDevice(deviceId: string): SharedDevice | null;
}

/** Why a write is not passed on. */
interface Refusal {
  readonly exception: number;
  readonly reason: string;
}

/** Answers the requests of other programs. */
export class ProxyAnswers {
  readonly #parts: ProxyAnswersParts;
  readonly #deviceIds: ReadonlyMap<number, string>;
  readonly #requests: TokenBuckets;
  readonly #writes: TokenBuckets;

  constructor(parts: ProxyAnswersParts) {
    this.#parts = parts;
    this.#deviceIds = new Map(parts.settings.devices.map(({ unit, device }) => [unit, device]));
    this.#requests = new TokenBuckets(REQUESTS, parts.clock);
    this.#writes = new TokenBuckets(WRITES, parts.clock);
  }

  /**
   * Answers a whole frame, at once where no device has to be asked. An exception answers what cannot be done; the promise
   * does not reject. The signal ends requests that wait for the device.
   */
  answer(frame: Uint8Array, client: ProxyClient, signal: AbortSignal): Uint8Array | Promise<Uint8Array> {
    if (this.#requests.take(client.address).waitMs > 0) return refuse(frame, client, EXCEPTION.deviceBusy);
    const request = parseRequest(frame);
    const deviceId = this.#deviceIds.get(request.unit);
    if (deviceId === undefined) return refuse(frame, client, EXCEPTION.noPath);
    if (request.kind === "write") return this.#write(frame, request, { client, deviceId, signal });
    if (request.kind === "refused") {
      if (request.isWrite) this.#note(client, deviceId, request, "refused", "the gateway does not pass it on");
      return refuse(frame, client, request.exception);
    }
    const device = this.#parts.sharedDevice(deviceId);
    if (device === null) return refuse(frame, client, EXCEPTION.noPath);
    const { registers } = device;
    if (registers === null) return fail(frame, client, EXCEPTION.noAnswer);
    const recent = registers.recent(request.range, this.#parts.settings.maxAgeMs);
    if (recent !== null) {
      client.counts.cached += 1;
      return readAnswer(frame, recent);
    }
    return this.#pass(frame, client, signal, async (limited) => {
      const read = await registers.read(request.range, limited);
      client.counts.read += 1;
      return readAnswer(frame, read);
    });
  }

  /** Asks a device. */
  async #pass(
    frame: Uint8Array,
    client: ProxyClient,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    try {
      return await within(this.#parts.clock, DEADLINE_MS, signal, ask);
    } catch (error) {
      return fail(frame, client, this.#exceptionOf(error, signal));
    }
  }

  #write(
    frame: Uint8Array,
    request: ProxyRequest & { readonly kind: "write" },
    {
      client,
      deviceId,
      signal,
    }: { readonly client: ProxyClient; readonly deviceId: string; readonly signal: AbortSignal },
  ): Uint8Array | Promise<Uint8Array> {
    const device = this.#parts.sharedDevice(deviceId);
    const refusal = this.#refusal(client, deviceId, device);
    if (refusal !== null) {
      // A program that repeats itself too fast is counted, and not written down each time.
      if (this.#writes.take(client.address).waitMs === 0)
        this.#note(client, deviceId, request, "refused", refusal.reason);
      return refuse(frame, client, refusal.exception);
    }
    if (this.#writes.take(client.address).waitMs > 0) return refuse(frame, client, EXCEPTION.deviceBusy);
    const registers = device?.registers ?? null;
    if (device === null || registers === null) {
      this.#note(client, deviceId, request, "failed", "the device is not connected");
      return fail(frame, client, EXCEPTION.noAnswer);
    }
    return this.#pass(frame, client, signal, async (limited) => {
      let read: Uint16Array;
      try {
        read = await registers.write(request.write, () => commandedRefusal(device), limited);
      } catch (error) {
        const isRefused = error instanceof RegisterException;
        this.#note(client, deviceId, request, isRefused ? "refused" : "failed", errorText(error));
        throw error;
      } finally {
        device.hint();
      }
      this.#note(client, deviceId, request, "done", null);
      client.counts.written += 1;
      return writeAnswer(frame, request.write, read);
    });
  }

  #refusal(client: ProxyClient, deviceId: string, device: SharedDevice | null): Refusal | null {
    if (!client.mayWrite.includes(deviceId)) {
      return { exception: EXCEPTION.illegalFunction, reason: "it may not write to this device" };
    }
    if (device === null) return { exception: EXCEPTION.noPath, reason: "there is no such device" };
    const commanded = commandedRefusal(device);
    return commanded === null ? null : { exception: commanded.code, reason: commanded.message };
  }

  #exceptionOf(error: unknown, signal: AbortSignal): number {
    if (error instanceof RegisterException) return error.code;
    if (error instanceof TimeoutError || signal.aborted) return EXCEPTION.noAnswer;
    if (error instanceof OtherDeviceError) return EXCEPTION.noPath;
    if (error instanceof DeviceError) {
      return error.kind === "unreachable" ? EXCEPTION.noAnswer : EXCEPTION.deviceFailure;
    }
    this.#parts.log.error({ err: error }, "Modbus proxy failed unexpectedly; the program gets an exception");
    return EXCEPTION.deviceFailure;
  }

  #note(
    { address, name }: ProxyClient,
    deviceId: string,
    request: ProxyRequest,
    outcome: "done" | "refused" | "failed",
    reason: string | null,
  ): void {
    const why = reason === null ? "" : `: ${reason}`;
    const path = `modbus unit ${request.unit} (${deviceId}), ${writeText(request)}${why}`;
    const who = { kind: "program", id: address, name } as const;
    this.#parts.audit.note({ who, method: null, path, status: null, outcome });
    this.#parts.log.info({ address, deviceId, outcome }, `write of another program: ${writeText(request)}${why}`);
  }
}

/** A device has one commander at a time: two that write to it undo each other. */
function commandedRefusal({ commanded }: SharedDevice): RegisterException | null {
  if (commanded === null) return null;
  return new RegisterException(EXCEPTION.deviceBusy, `the gateway commands ${commanded} of this device now`);
}

function writeText(request: ProxyRequest): string {
  if (request.kind !== "write") return `function ${request.code}`;
  const { code, address, values, reads }: RegisterWrite = request.write;
  const where = `function ${code}, ${code === 5 || code === 15 ? "coil" : "holding register"}`;
  if (code === 22) {
    const [stays, set] = values.map((mask) => `0x${mask.toString(16).padStart(4, "0")}`);
    return `${where} ${address} and ${stays} or ${set}`;
  }
  const read = reads === undefined ? "" : `, then reads ${placeText(reads.address, reads.count)}`;
  return `${where} ${placeText(address, values.length)} = ${values.join(" ")}${read}`;
}

function placeText(address: number, count: number): string {
  return count === 1 ? `${address}` : `${address} to ${address + count - 1}`;
}

function refuse(frame: Uint8Array, { counts }: ProxyClient, exception: number): Uint8Array {
  counts.refused += 1;
  return exceptionAnswer(frame, exception);
}

function fail(frame: Uint8Array, { counts }: ProxyClient, exception: number): Uint8Array {
  counts.failed += 1;
  return exceptionAnswer(frame, exception);
}
