/** Topics of one gateway at a cloud service's broker; docs/cloud-uplinks.md describes them. */
import type { Mqtt5Message } from "../../platform/ports/mqtt5-port.ts";
import type { FrameHint } from "./uplink.ts";

const CONTENT_TYPE = "application/vnd.hemgate.frame";
/** Properties of a message beside the topics in it: names, counts and lengths, see `message`. */
const PROPERTIES_BYTES = 768;

export class MqttTopics {
  /** Whether the gateway is there: `online` or `offline`, kept by the server. */
  readonly presence: string;
  /** All that comes down. */
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

  /** Bytes of a packet that are not the frame, at most. */
  get headBytes(): number {
    return PROPERTIES_BYTES + 2 * Buffer.byteLength(this.#base);
  }

  /** A frame as a message. */
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
