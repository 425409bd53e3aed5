import { connectAsync, type MqttClient } from "mqtt";
import { zstd } from "../../src/platform/node/zstd.ts";
import {
  type Ack,
  type Batch,
  fromFrame,
  type Hello,
  parseToGateway,
  type ToGateway,
  toFrame,
  type Welcome,
} from "../../src/sync/protocol/index.ts";
import { until } from "./until.ts";

/** So often a batch is sent again that nobody acknowledges. */
const AGAIN_MS = 3_000;

/** A gateway's end of the broker, that says what it is told to. */
export class TestGateway implements AsyncDisposable {
  readonly heard: ToGateway[] = [];
  readonly #client: MqttClient;
  readonly #base: string;
  /** Of its last hello; null: it said none, and sends what it is given. */
  #bootId: string | null = null;

  private constructor(client: MqttClient, name: string) {
    this.#client = client;
    this.#base = `hemgate/${name}`;
    client.on("message", async (topic, payload) => {
      const message = parseToGateway(await fromFrame(payload, zstd));
      if (message === null || topic !== `${this.#base}/down/${message.kind}`)
        throw new Error(`odd message at ${topic}`);
      this.heard.push(message);
    });
  }

  /** By MQTT 5, or by 3.1.1 (4) where the broker speaks no other. */
  static async connect(url: string, name: string, protocolVersion: 4 | 5 = 5): Promise<TestGateway> {
    const gateway = new TestGateway(await connectAsync(url, { protocolVersion }), name);
    await gateway.#client.subscribeAsync(`hemgate/${name}/down/+`, { qos: 1 });
    return gateway;
  }

  /** Resolves with the welcome that answers it. */
  async meet(hello: Hello): Promise<Welcome> {
    const before = this.heard.length;
    this.#bootId = hello.boots.at(-1)?.id ?? null;
    await this.publish("hello", await toFrame(hello, zstd));
    return await until(() => this.heard.slice(before).find((message) => message.kind === "welcome"));
  }

  async send(batch: Batch): Promise<void> {
    const own = this.#bootId === null ? batch : { ...batch, bootId: this.#bootId };
    await this.publish(`batch/${batch.stream}`, await toFrame(own, zstd));
  }

  async publish(topic: string, payload: Uint8Array | string): Promise<void> {
    await this.#client.publishAsync(`${this.#base}/up/${topic}`, Buffer.from(payload), { qos: 1 });
  }

  /** The last number of a stream that was acknowledged. */
  acked(stream: string, epoch: string): number {
    const acks = this.heard.filter((message): message is Ack => message.kind === "ack");
    const own = acks.filter((ack) => ack.stream === stream && ack.epoch === epoch);
    return own.reduce((most, { through }) => Math.max(most, through), 0);
  }

  /** Sends batches, and again what is not acknowledged: in order when it is told that some are missing, or after a while. */
  async deliver(...batches: readonly Batch[]): Promise<void> {
    const isOpen = ({ stream, epoch, through }: Batch): boolean => this.acked(stream, epoch) < through;
    const reached = (): number => batches.reduce((sum, each) => sum + this.acked(each.stream, each.epoch), 0);
    let heard = this.heard.length;
    let rewoundAt = -1;
    let sentAtMs = Date.now();
    for (const batch of batches) await this.send(batch);
    await until(async () => {
      const open = batches.filter(isOpen).toSorted((one, other) => one.from - other.from);
      const isToldMissing = this.heard.slice(heard).some((ack) => ack.kind === "ack" && ack.missing.length > 0);
      const isNews = isToldMissing && rewoundAt !== reached();
      if (!isNews && Date.now() - sentAtMs < AGAIN_MS) return open.length === 0;
      heard = this.heard.length;
      rewoundAt = reached();
      sentAtMs = Date.now();
      for (const batch of open) await this.send(batch);
      return open.length === 0;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.endAsync(true);
  }
}
