import type { CloudSession } from "../../kit/connector.ts";
import { CloudError } from "../../kit/session/cloud-error.ts";
import { pairingLink } from "../pairing.ts";
import { CarSession, type Signed } from "./car-session.ts";
import { type ActionResult, readResult } from "./charging-actions.ts";
import { faultOf } from "./faults.ts";
import {
  type CarReply,
  INFOTAINMENT,
  readReply,
  readSessionInfo,
  type Sender,
  sessionInfoRequest,
} from "./routable-message.ts";

/** universal_message.proto: OperationStatus_E. */
const STATUS = { ok: 0, wait: 1 } as const;

/** Brings a message to the vehicle, and its answer back. `isRepeatable`: it changes nothing. */
export type Post = (message: Uint8Array, isRepeatable: boolean, signal: AbortSignal) => Promise<Uint8Array>;

/** A reply, and what it replies to. */
interface Replied {
  readonly reply: CarReply;
  readonly session: CarSession;
  readonly command: Signed;
}

/** A vehicle that does only what is signed with a key that its owner paired with it. One command at a time. */
export class SignedCar {
  readonly #cloud: Pick<CloudSession, "app" | "clock" | "random" | "keyPair">;
  readonly #vin: string;
  readonly #post: Post;
  #address: Uint8Array | null = null;
  #session: CarSession | null = null;

  constructor(cloud: Pick<CloudSession, "app" | "clock" | "random" | "keyPair">, vin: string, post: Post) {
    this.#cloud = cloud;
    this.#vin = vin;
    this.#post = post;
  }

  /** Rejects with a `CloudError`: `forbidden`, with what to do, when our key is not paired with the vehicle. */
  async command(action: Uint8Array, signal: AbortSignal): Promise<ActionResult> {
    const first = await this.#send(action, signal);
    // Such a fault says that nothing was done, and the reply where the vehicle stands: once more by that.
    const last = faultOf(first.reply.fault).means === "stale" ? await this.#send(action, signal) : first;
    this.#check(last.reply);
    const payload = last.session.payloadOf(last.reply, last.command);
    if (payload === null) {
      this.#session = null;
      throw new CloudError("malformed", "vehicle: a reply whose result is not authenticated");
    }
    return readResult(payload);
  }

  async #send(action: Uint8Array, signal: AbortSignal): Promise<Replied> {
    const session = this.#session ?? (await this.#open(signal));
    const sender = this.#sender();
    this.#session = null;
    const command = session.sign(action, sender, this.#nowMs());
    this.#session = session;
    const reply = replyTo(sender, await this.#post(command.bytes, false, signal));
    const isStale = faultOf(reply.fault).means === "stale";
    if (isStale && !session.follow(reply, sender.uuid, this.#nowMs())) this.#session = null;
    return { reply, session, command };
  }

  async #open(signal: AbortSignal): Promise<CarSession> {
    const pair = await this.#cloud.keyPair();
    const sender = this.#sender();
    const reply = replyTo(sender, await this.#post(sessionInfoRequest(sender, pair.publicKey), true, signal));
    this.#check(reply);
    const session = CarSession.from({ pair, vin: this.#vin }, reply, sender.uuid, this.#nowMs());
    if (session === null) throw new CloudError("malformed", "vehicle: session info that is not authenticated");
    return session;
  }

  #check({ fault, status, sessionInfo }: CarReply): void {
    const { means, text } = faultOf(fault);
    const isUnknown = sessionInfo !== null && !readSessionInfo(sessionInfo.bytes).isPaired;
    if (isUnknown || (fault !== 0 && means === "unpaired")) throw this.#unpaired(isUnknown ? faultOf(3).text : text);
    if (fault !== 0)
      throw new CloudError(means === "stale" || means === "unpaired" ? "unavailable" : means, `vehicle: ${text}`);
    if (status === STATUS.wait) throw new CloudError("unavailable", "vehicle: it is busy");
    if (status !== STATUS.ok) throw new CloudError("refused", `vehicle: status ${status}`);
  }

  #unpaired(text: string): CloudError {
    const remedy = `open ${pairingLink(this.#cloud.app)} on a phone with the Tesla app of its owner, and allow the key`;
    return new CloudError("forbidden", `vehicle: ${text}; ${remedy}`);
  }

  #sender(): Sender {
    this.#address ??= this.#fresh();
    return { address: this.#address, uuid: this.#fresh() };
  }

  #fresh(): Uint8Array {
    return Buffer.from(this.#cloud.random.uuid().replaceAll("-", ""), "hex");
  }

  #nowMs(): number {
    return this.#cloud.clock.monotonicMs();
  }
}

/** Throws `malformed` when the bytes are no answer of the vehicle's to that question. */
function replyTo({ uuid }: Sender, bytes: Uint8Array): CarReply {
  const reply = readReply(bytes);
  const isOurs = reply.requestUuid !== null && Buffer.compare(reply.requestUuid, uuid) === 0;
  if (reply.domain !== INFOTAINMENT || !isOurs)
    throw new CloudError("malformed", "vehicle: an answer to another question");
  return reply;
}
