/** An energy meter or home manager of SMA on the LAN. */
import type { Clock, TcpAddress, UdpSocket } from "../../../src/platform/ports/ports.ts";
import type { Measured } from "./measured.ts";
import { netW } from "./measured.ts";

export interface SpeedwireTwinParts {
  readonly clock: Clock;
  readonly serial: number;
  readonly susyId: number;
  readonly everyMs: number;
  /** Newer firmware tells the frequency, too. */
  readonly tellsFrequency?: boolean;
  measured(): Measured;
}

const GROUP: TcpAddress = { host: "239.12.255.254", port: 9_522 };

/** `cut`: datagrams end early. `swapped`: their bytes stand the other way round, as in what inverters speak. */
export type DatagramFault = "none" | "silent" | "cut" | "swapped" | "inverter" | "not-measured";

export class SpeedwireTwin {
  fault: DatagramFault = "none";
  /** Where it sends to: the group, or one machine. */
  to: TcpAddress = GROUP;
  readonly #parts: SpeedwireTwinParts;
  #tickMs = 4_294_960_000;
  #isOn = false;

  constructor(parts: SpeedwireTwinParts) {
    this.#parts = parts;
  }

  /** Sends until the answer is disposed. The clock of the meter runs over soon. */
  start(socket: UdpSocket): Disposable {
    this.#isOn = true;
    const turn = (): void => {
      if (!this.#isOn) return;
      if (this.fault !== "silent") socket.send(this.datagram(), this.to);
      this.#tickMs = (this.#tickMs + this.#parts.everyMs) % 2 ** 32;
      this.#parts.clock.timer(this.#parts.everyMs, turn);
    };
    turn();
    return {
      [Symbol.dispose]: () => {
        this.#isOn = false;
      },
    };
  }

  /** The meter was switched off and on. */
  restart(): void {
    this.#tickMs = 1_200;
  }

  datagram(): Uint8Array {
    const isMeasured = this.fault !== "not-measured";
    const records = recordsOf(this.#parts.measured(), this.#parts.tellsFrequency ?? false, isMeasured);
    const protocol = this.fault === "inverter" ? 0x6065 : 0x6069;
    const body = [u16(protocol), u16(this.#parts.susyId), u32(this.#parts.serial), u32(this.#tickMs), ...records].join(
      "",
    );
    const head = `534d4100${"0004"}02a0${"00000001"}${u16(body.length / 2)}0010`;
    const whole = Buffer.from(`${head}${body}00000000`, "hex");
    if (this.fault === "cut") return whole.subarray(0, Math.floor(whole.length * 0.7));
    return this.fault === "swapped" ? swapped(whole) : whole;
  }
}

function recordsOf(measured: Measured, tellsFrequency: boolean, isMeasured: boolean): readonly string[] {
  const net = netW(measured);
  const energy = (values: readonly [number, number]): number => values[0] + values[1];
  const none = 0xffff_ffff;
  return [
    ...pair(1, net, energy(measured.importWh), energy(measured.exportWh)),
    record(9, 4, 3_000),
    record(9, 8, 1_000_000),
    record(13, 4, 998),
    ...(tellsFrequency ? [record(14, 4, Math.round(measured.frequencyHz * 1_000))] : []),
    ...[20, 40, 60].flatMap((group, at) => [
      ...pair(group + 1, measured.powerW[at] ?? 0, 1_000, 2_000),
      record(group + 11, 4, isMeasured ? Math.round((measured.currentA[at] ?? 0) * 1_000) : none),
      record(group + 12, 4, isMeasured ? Math.round((measured.voltageV[at] ?? 0) * 1_000) : none),
      record(group + 13, 4, 1_000),
    ]),
    `90000000${"02030452"}`,
  ];
}

/** Import and export of a power in 0.1 W, and of energies in Ws. */
function pair(index: number, powerW: number, importWh: number, exportWh: number): readonly string[] {
  return [
    record(index, 4, Math.max(0, Math.round(powerW * 10))),
    record(index, 8, importWh * 3_600),
    record(index + 1, 4, Math.max(0, Math.round(-powerW * 10))),
    record(index + 1, 8, exportWh * 3_600),
  ];
}

function record(index: number, type: 4 | 8, value: number): string {
  return `00${u8(index)}${u8(type)}00${type === 4 ? u32(value) : BigInt(value).toString(16).padStart(16, "0")}`;
}

/** Each 16 bits turned round, after the magic. */
function swapped(bytes: Uint8Array): Uint8Array {
  const turned = Buffer.from(bytes);
  turned.subarray(4, turned.length - (turned.length % 2)).swap16();
  return turned;
}

function u8(value: number): string {
  return value.toString(16).padStart(2, "0");
}

function u16(value: number): string {
  return value.toString(16).padStart(4, "0");
}

function u32(value: number): string {
  return value.toString(16).padStart(8, "0");
}
