/** A broker, a gateway's adapter and the boards of a house, in a world of their own. */
import { type MemoryBroker, MemoryDisk, World } from "hemgate/testing";
import { mqttAdapter } from "../../firmware-bridges/kit/mqtt-adapter.ts";
import type { PointName, PointValue } from "../../src/points/points.ts";
import type { Driver, RunningAdapter } from "../../src/sdk/driver.ts";
import { Board, type Firmware } from "../twins/firmware/board.ts";

export const BROKER = "mqtt://10.0.0.9";
const NEVER = new AbortController().signal;

type Options = Parameters<ReturnType<typeof mqttAdapter.start>["connect"]>[1];
type Given = Partial<Options> & { readonly bridge: string; readonly topic: string };

export class MqttBench implements AsyncDisposable {
  readonly world = new World({ seed: 7 });
  readonly broker: MemoryBroker = this.world.mqtt.broker(BROKER);
  readonly gateway = this.world.boot("gateway", new MemoryDisk());
  readonly #adapter: RunningAdapter<Options> = mqttAdapter.start(this.gateway.adapterContext({ url: BROKER }));

  board(firmware: Firmware): Board {
    const board = new Board(this.world, BROKER, firmware);
    board.start();
    return board;
  }

  /** What somebody else publishes. */
  async publish(topic: string, text: string, isRetained = false): Promise<void> {
    await this.broker.publish({ topic, payload: new TextEncoder().encode(text), isRetained });
    await this.pass(200);
  }

  async connect(given: Given): Promise<Driver> {
    return await this.world.clock.resolve(this.begin(given), 60_000);
  }

  /** Connects while time stands still. */
  begin(given: Given, signal = NEVER): Promise<Driver> {
    return this.#adapter.connect("device", mqttAdapter.options.parse(given), signal);
  }

  async pass(durationMs: number): Promise<void> {
    await this.world.clock.advance(durationMs);
  }

  /** What a read answers, by point. */
  async read(driver: Driver, scope: "due" | "all" = "all"): Promise<Partial<Record<PointName, PointValue | null>>> {
    const readings = await this.world.clock.resolve(driver.read(scope, NEVER), 60_000);
    return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
  }

  async write(driver: Driver, ...[point, value]: [Parameters<Driver["write"]>[0], PointValue]): Promise<void> {
    await this.world.clock.resolve(driver.write(point, value, NEVER), 60_000);
  }

  /** What was published under a topic by anybody, as text. */
  published(topic: string): readonly string[] {
    return this.broker.published
      .filter((message) => message.topic === topic)
      .map(({ payload }) => Buffer.from(payload).toString("utf8"));
  }

  warnings(): readonly string[] {
    return this.gateway.log.lines
      .filter(({ level }) => level === "warn")
      .map(({ fields }) => String(fields["what"] ?? ""));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#adapter[Symbol.asyncDispose]();
  }
}
