/** One device of each MQTT bridge, on the boards that their firmwares run on, and the broker between. */
import type { MemoryBroker, World } from "hemgate/testing";
import { Board, type Firmware } from "../twins/firmware/board.ts";
import { chargers, inverters, type Kind, meters } from "./firmware-kinds.ts";
import { systems } from "./firmware-systems.ts";
import { TruthDevice } from "./truth-device.ts";
import type { Trouble, WeekDevice } from "./week-device.ts";

/** Until the engine takes a silent device for gone: its pauses between tries. */
const GIVING_UP_MS = 75_000;
const LEAST_LIMIT_MS = 10_000;
const LATE_FACTOR = 3;
const LOST_MESSAGES = 20;

export interface FirmwareHouse {
  readonly devices: readonly WeekDevice[];
  readonly troubles: readonly Trouble[];
}

export function buildFirmwareHouse(world: World, brokerUrl: string, more: readonly Kind[]): FirmwareHouse {
  const broker = world.mqtt.broker(brokerUrl);
  const devices: WeekDevice[] = [];
  const troubles: Trouble[] = [];
  for (const kind of [...meters(), ...inverters(), ...chargers(), ...systems(), ...more]) {
    const { id, owner, options, everyS, isSlowed = false } = kind;
    const periodMs = 1_000 * everyS;
    const device = new TruthDevice(world, {
      id,
      config: { id, adapter: "mqtt", owner, ...options, ...(isSlowed && { intervalSeconds: everyS }) },
      calmMs: periodMs + LEAST_LIMIT_MS,
      troubledMs: Math.max(LEAST_LIMIT_MS, LATE_FACTOR * periodMs) + GIVING_UP_MS,
      paceMs: null,
      truth: () => kind.truth(),
      move: (random, hour) => kind.move(random, hour),
    });
    const board = new Board(world, brokerUrl, watched(kind, device));
    board.start();
    devices.push(device);
    troubles.push(...boardTroubles(kind, board));
  }
  troubles.push(...brokerTroubles(broker, devices));
  return { devices, troubles };
}

/** The firmware as it is, seen by the checks. */
function watched({ twin, asks = /^(?!)/, isSlowed, everyS }: Kind, device: TruthDevice): Firmware {
  return {
    will: twin.will,
    filters: twin.filters,
    ticks: twin.ticks.map(({ everyMs, run }) => ({
      everyMs: isSlowed ? 1_000 * everyS : everyMs,
      run(say) {
        run(say);
        device.note();
      },
    })),
    connected: (say) => twin.connected(say),
    heard(message, say) {
      if (asks.test(`${message.topic} ${message.text}`)) device.asked();
      else if (!message.isRetained && message.text !== "") device.received(`${message.topic} ${message.text}`);
      twin.heard(message, say);
      device.note();
    },
  };
}

function boardTroubles({ id, hang }: Kind, board: Board): readonly Trouble[] {
  const pull = (): Disposable => {
    board.pull();
    return { [Symbol.dispose]: () => board.start() };
  };
  const hung = (): Disposable => {
    hang?.(true);
    return { [Symbol.dispose]: () => hang?.(false) };
  };
  return [
    { name: "board without power", devices: [id], isDeath: true, begin: pull },
    ...(hang === undefined ? [] : [{ name: "firmware hangs", devices: [id], isDeath: true, begin: hung }]),
  ];
}

function brokerTroubles(broker: MemoryBroker, all: readonly WeekDevice[]): readonly Trouble[] {
  const devices = all.map(({ id }) => id);
  const stop = (): Disposable => {
    broker.stop();
    return { [Symbol.dispose]: () => broker.start() };
  };
  const drop = (): Disposable => {
    broker.disconnectAll();
    return { [Symbol.dispose]: () => undefined };
  };
  const lose = (): Disposable => {
    broker.loseNext(LOST_MESSAGES);
    return {
      [Symbol.dispose]() {
        broker.loseNext(0);
        // A stream loses messages only with its connection: the boards come back and tell all that they keep.
        broker.disconnectAll();
      },
    };
  };
  return [
    { name: "broker away", devices, isDeath: true, begin: stop },
    { name: "broker drops all", devices, isDeath: false, begin: drop },
    { name: "broker loses messages", devices, isDeath: false, begin: lose },
  ];
}
