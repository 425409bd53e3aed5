/** The way between gateways and a cloud service: late, out of order, twice or not at all. */
import type { Clock } from "../../../src/platform/ports/ports.ts";
import { fromFrame, toFrame } from "../../../src/sync/protocol/frame.ts";
import { parseToCloud, type ToGateway } from "../../../src/sync/protocol/messages.ts";
import { type FrameHint, type Uplink, UplinkError, type UplinkEvents } from "../../../src/sync/uplink/uplink.ts";
import type { SeededRandom } from "../../../src/testing/seeded-random.ts";
import type { CloudTwin } from "./cloud-twin.ts";
import { memoryZstd } from "./memory-zstd.ts";

export interface CloudNetFaults {
  /** Nobody is reached, and what is under way is lost. */
  isCut: boolean;
  /** Part of the frames that nobody ever hears of again, as of a broker that acknowledged and forgot. */
  forgotten: number;
  /** Part of the frames that come twice. */
  doubled: number;
  /** Part of the frames that later ones overtake. */
  late: number;
}

const LATENCY_MS = [5, 80] as const;
const LATE_MS = [100, 20_000] as const;

export class SimCloudNet {
  readonly faults: CloudNetFaults = { isCut: false, forgotten: 0, doubled: 0, late: 0 };
  /** Told of each frame that a gateway has just sent. */
  onSent: (hint: FrameHint) => void = () => undefined;
  /** Told of each message that a gateway has just taken in. */
  onTaken: (message: ToGateway) => void = () => undefined;
  /** When somebody tried to connect, monotonic ms. */
  readonly attemptsMs: number[] = [];
  readonly #clock: Pick<Clock, "timer" | "monotonicMs">;
  readonly #random: SeededRandom;
  readonly #twin: CloudTwin;
  /** When what is under way in order has arrived, monotonic ms. */
  #lastMs = 0;
  /** The one connection of each gateway's name. */
  readonly #open = new Map<string, { readonly events: UplinkEvents; readonly owner: object }>();

  constructor(clock: Pick<Clock, "timer" | "monotonicMs">, random: SeededRandom, twin: CloudTwin) {
    this.#clock = clock;
    this.#random = random;
    this.#twin = twin;
  }

  /** The way of a box that speaks as `gateway`; `owner` is the process that holds it. */
  uplink(gateway: string, owner: object): Uplink {
    return {
      connect: async (events, signal) => {
        signal.throwIfAborted();
        this.attemptsMs.push(this.#clock.monotonicMs());
        if (this.faults.isCut) throw new UplinkError({ kind: "lost", reason: "no way", retryAfterMs: null });
        this.#close(gateway, "taken-over");
        const own = { events, owner };
        this.#open.set(gateway, own);
        return {
          name: "simulated",
          credits: 64,
          maxFrameBytes: 256 * 1024,
          send: (frame, hint) => {
            if (this.#open.get(gateway) !== own) return;
            this.#carry(() => this.#deliver(gateway, frame));
            this.onSent(hint);
          },
          [Symbol.dispose]: () => {
            if (this.#open.get(gateway) === own) this.#open.delete(gateway);
          },
        };
      },
    };
  }

  /** Ends all connections; with `isCut`, until it is taken back. */
  cut(isCut: boolean): void {
    this.faults.isCut = isCut;
    for (const gateway of [...this.#open.keys()]) this.#close(gateway, "lost");
  }

  /** A process is gone, and nobody tells it of anything any more. */
  forget(owner: object): void {
    for (const [gateway, open] of this.#open) if (open.owner === owner) this.#open.delete(gateway);
  }

  /** Sends a message to whoever speaks as the gateway. */
  async tell(gateway: string, message: ToGateway): Promise<void> {
    const frame = await toFrame(message, memoryZstd);
    this.#carry(() => {
      const open = this.#open.get(gateway);
      if (open === undefined) return;
      open.events.frame(frame);
      // By the next timer what the frame set in motion has come to rest.
      this.#clock.timer(0, () => this.onTaken(message));
    });
  }

  #close(gateway: string, kind: "lost" | "taken-over"): void {
    const open = this.#open.get(gateway);
    this.#open.delete(gateway);
    open?.events.closed({ kind, reason: kind, retryAfterMs: null });
  }

  #carry(arrive: () => unknown): void {
    const { forgotten, doubled, late, isCut } = this.faults;
    if (isCut || this.#random.isChance(forgotten)) return;
    const copies = this.#random.isChance(doubled) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const isLate = this.#random.isChance(late);
      const [min, max] = isLate ? LATE_MS : LATENCY_MS;
      const nowMs = this.#clock.monotonicMs();
      const atMs = Math.max(nowMs + this.#random.between(min, max), isLate ? 0 : this.#lastMs);
      if (!isLate) this.#lastMs = atMs;
      this.#clock.timer(atMs - nowMs, () => {
        if (!this.faults.isCut) arrive();
      });
    }
  }

  async #deliver(gateway: string, frame: Uint8Array): Promise<void> {
    const message = parseToCloud(await fromFrame(frame, memoryZstd));
    const answer = message === null ? null : this.#twin.hear(gateway, message);
    if (answer !== null) await this.tell(gateway, answer);
  }
}
