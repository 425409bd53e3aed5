/** What may happen to devices with registers, and to the wires that they hang on. */
import { type ModbusImage, type ModbusReply, modbusLine, type World } from "hemgate/testing";
import type { Net, TcpStream } from "../../src/platform/ports/ports.ts";
import type { RegisterDevice } from "./register-device.ts";
import type { Trouble } from "./week-device.ts";

export function plugIn(
  world: World,
  path: string,
  framing: "rtu" | "ascii",
  image: ModbusImage,
  here: readonly RegisterDevice[],
): readonly Trouble[] {
  let noise = 0;
  const random = world.random.fork(`noise ${path}`);
  const spoil = (answer: Uint8Array): Uint8Array => {
    if (!random.isChance(noise)) return answer;
    const at = random.below(answer.length);
    return answer.map((byte, index) => (index === at ? byte ^ (1 << random.below(8)) : byte));
  };
  const plug = (): Disposable => world.serial.plug(path, modbusLine(world.clock, image, { framing, spoil }));
  let plugged = plug();
  const devices = here.map(({ id }) => id);
  const pull = (): Disposable => {
    plugged[Symbol.dispose]();
    return {
      [Symbol.dispose]: () => {
        plugged = plug();
      },
    };
  };
  const disturb = (): Disposable => {
    noise = 0.3;
    return {
      [Symbol.dispose]: () => {
        noise = 0;
      },
    };
  };
  return [
    { name: "serial cable pulled", devices, isDeath: true, begin: pull },
    { name: "serial noise", devices, isDeath: false, begin: disturb },
  ];
}

/** `host`: where they are at the moment. */
export function netTroubles(
  { net }: World,
  host: () => string,
  here: readonly { readonly id: string }[],
): readonly Trouble[] {
  const devices = here.map(({ id }) => id);
  const one = (
    name: string,
    isDeath: boolean,
    ...specs: readonly (readonly [Parameters<typeof net.faults.begin>[0]["kind"], number])[]
  ): Trouble => ({
    name,
    devices,
    isDeath,
    begin: () => {
      const begun = specs.map(([kind, share]) => net.faults.begin({ kind, host: host(), share }));
      return { [Symbol.dispose]: () => begun.forEach((each) => void each[Symbol.dispose]()) };
    },
  });
  return [
    one("off the net", true, ["unreachable", 1], ["lost-answer", 1]),
    one("port closed", true, ["refused", 1], ["reset", 1]),
    one("lost answers", false, ["lost-answer", 0.25]),
    one("late answers", false, ["late-answer", 0.25]),
    one("garbage", false, ["garbage", 0.25]),
    one("resets", false, ["reset", 0.25]),
    one("half-open streams", false, ["half-open", 0.1]),
    one("sliced answers", false, ["sliced", 1]),
  ];
}

export function deviceTroubles(world: World, device: RegisterDevice): readonly Trouble[] {
  const slow = (): Disposable => {
    device.slowMs = 1_200;
    return {
      [Symbol.dispose]: () => {
        device.slowMs = 0;
      },
    };
  };
  const devices = [device.id];
  return [
    { name: "power cut", devices, isDeath: true, begin: () => device.die() },
    { name: "slow answers", devices, isDeath: false, begin: slow },
    spoilTrouble(world, device, "busy", { kind: "exception", code: 6 }),
    spoilTrouble(world, device, "device failure", { kind: "exception", code: 4 }),
  ];
}

export function spoilTrouble(world: World, device: RegisterDevice, name: string, reply: ModbusReply): Trouble {
  const random = world.random.fork(`${name} ${device.id}`);
  return {
    name,
    devices: [device.id],
    isDeath: false,
    begin: () => {
      device.spoil = () => (random.isChance(0.25) ? reply : null);
      return {
        [Symbol.dispose]: () => {
          device.spoil = null;
        },
      };
    },
  };
}

/** A net whose servers now and then answer under a transaction id that nobody asked with. */
export class GarbledNet implements Pick<Net, "listen"> {
  readonly #net: Net;
  readonly #random;
  #share = 0;

  constructor(world: World) {
    this.#net = world.net.host();
    this.#random = world.random.fork("transaction ids");
  }

  listen: Net["listen"] = (address, accept) => this.#net.listen(address, (stream) => accept(this.#garbled(stream)));

  trouble(id: string): Trouble {
    const begin = (): Disposable => {
      this.#share = 0.25;
      return {
        [Symbol.dispose]: () => {
          this.#share = 0;
        },
      };
    };
    return { name: "wrong transaction ids", devices: [id], isDeath: false, begin };
  }

  #garbled(stream: TcpStream): TcpStream {
    return {
      remote: stream.remote,
      get bufferedBytes() {
        return stream.bufferedBytes;
      },
      write: (bytes) => {
        const isWrong = this.#share > 0 && this.#random.isChance(this.#share);
        stream.write(isWrong ? bytes.map((byte, index) => (index === 1 ? (byte + 1) % 256 : byte)) : bytes);
      },
      [Symbol.dispose]: () => stream[Symbol.dispose](),
    };
  }
}
