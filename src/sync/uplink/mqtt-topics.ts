/** The topics of one gateway at a cloud service's broker; docs/cloud-uplinks.md describes them. */
import type { Mqtt5Message } from "../../platform/ports/mqtt5-port.ts";
import type { FrameHint } from "./uplink.ts";

const CONTENT_TYPE = "application/vnd.hemgate.frame";
/** Maximum size of a message's properties without the topics: names, counts and lengths, see `message`. */
const PROPERTIES_BYTES = 768;

export class MqttTopics {
  /** The topic of the gateway's presence: `online` or `offline`, retained. */
  readonly presence: string;
  /** The topic filter of all messages to the gateway. */
  readonly down: string;
  readonly #base: string;
  readonly #gateway: string;

  /** `prefix` has no slash at its end. */
  constructor(prefix: string, gateway: string) {
    this.#base = `${prefix}/${gateway}`;
    this.#gateway = gateway;
    this.presence = `${this.#base}/up/presence`;
    this.down = `${this.#base}/down/+`;
  }

  /** Maximum bytes of a packet without the frame. */
  get headBytes(): number {
    return PROPERTIES_BYTES + 2 * Buffer.byteLength(this.#base);
  }

  /** Returns the MQTT message of a frame. */
  message(payload: Uint8Array, hint: FrameHint): Mqtt5Message {
    const common = { payload, isRetained: false, contentType: CONTENT_TYPE } as const;
    if (hint.kind === "hello") {
      return { ...common, topic: `${this.#base}/up/hello`, userProperties: { gateway: this.#gateway } };
    }
    const { stream, epoch, from, through } = hint;
    const userProperties = { gateway: this.#gateway, stream, epoch, from: String(from), through: String(through) };
    return { ...common, topic: `${this.#base}/up/batch/${stream}`, userProperties };
  }
}
