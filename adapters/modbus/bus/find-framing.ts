import { DeviceError, type RegisterTable } from "hemgate/sdk";
import { Doubts } from "../driver/doubts.ts";
import { AbortWatch } from "./abort-watch.ts";
import type { BusLink, LinkEvents } from "./bus-link.ts";
import { readRequest } from "./bus-requests.ts";
import type { BusWorld } from "./bus-world.ts";
import { crowdedError } from "./crowded-error.ts";
import { Exchange } from "./exchange.ts";
import { lineName, type NetLine } from "./line-address.ts";
import { ModbusException } from "./modbus-exception.ts";
import { openLink } from "./open-link.ts";

/** Gateways to RS-485 take more than a second for the first answer. */
const ANSWER_MS = 3_000;
/** Between two attempts: a device that serves one client needs a moment to see that the first one left. */
const PAUSE_MS = 500;
/** The usual one first. What the other kind makes of its bytes is nothing: a wrong length, or a wrong checksum. */
const KINDS = ["tcp", "rtu-over-tcp"] as const;

type Kind = (typeof KINDS)[number];

/** Registers to ask for; an exception is an answer, too. */
export interface ProbeRead {
  readonly unit: number;
  readonly table: RegisterTable;
  readonly address: number;
  readonly count: number;
  /** Pause between the connection and the request, ms. */
  readonly connectDelayMs: number;
}

/**
 * Which frames a host speaks: one connection after the other, one read each, until one is answered. Rejects with
 * `DeviceError("unreachable")` when none is.
 */
export async function findFraming(
  world: BusWorld,
  address: { readonly host: string; readonly port: number },
  read: ProbeRead,
  signal: AbortSignal,
): Promise<Kind> {
  for (const kind of KINDS) {
    if (kind !== KINDS[0]) await world.clock.sleep(PAUSE_MS, signal);
    if (await answers(world, { ...address, kind }, read, signal)) return kind;
  }
  const name = `${address.host}:${address.port}`;
  const text = `${name}: unit ${read.unit} answers neither to Modbus TCP nor to RTU frames`;
  throw new DeviceError("unreachable", text, { mayBeInUse: true });
}

async function answers(world: BusWorld, line: NetLine, read: ProbeRead, signal: AbortSignal): Promise<boolean> {
  using link = await open(world, line, signal);
  if (read.connectDelayMs > 0) await world.clock.sleep(read.connectDelayMs, signal);
  if (link.isClosed) throw crowdedError(new DeviceError("unreachable", `${lineName(line)} closed at once`), line, null);
  const request = readRequest(read.unit, read.table, read.address, read.count);
  using watch = new AbortWatch((aborted) => link.abandon(aborted));
  try {
    await new Promise((resolve, reject) => {
      link.send([new Exchange(request, signal, watch, { resolve, reject })], {
        timeoutMs: ANSWER_MS,
        resendAfterMs: null,
      });
    });
    return true;
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    return error instanceof ModbusException;
  }
}

async function open(world: BusWorld, line: NetLine, signal: AbortSignal): Promise<BusLink> {
  try {
    return await openLink(world, line, { events: DEAF, doubts: new Doubts(), isMute: () => true }, signal);
  } catch (error) {
    throw crowdedError(error, line, null);
  }
}

/** The outcome of the one exchange says it all. */
const DEAF: LinkEvents = {
  answered: () => undefined,
  failed: () => undefined,
  drained: () => undefined,
  closed: () => undefined,
};
