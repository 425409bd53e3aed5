/** What is wrong at the moment, with which devices, and since when nothing is. */
import type { SeededRandom, World } from "hemgate/testing";
import { Deck } from "./deck.ts";
import type { Trouble, WeekDevice } from "./week-device.ts";

const MINUTE_MS = 60_000;
/** After a fault: the longest pause between two tries, the tries themselves, and two polls. */
const RECOVERED_MS = 4 * MINUTE_MS;
/** A stream that nobody closed is noticed by the kernel of a device that serves one client only, 705 s later. */
const LINGERS_MS = 16 * MINUTE_MS;
const LINGERING = new Set(["half-open streams", "off the net"]);

interface State {
  /** Monotonic ms; infinite while something is wrong. */
  troubledUntilMs: number;
  /** Of that, what is not a trouble's. */
  disturbedUntilMs: number;
  readonly deaths: Map<Trouble, number>;
}

export class Calm {
  /** How often each class of faults began. */
  readonly fired = new Map<string, number>();
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #states = new Map<string, State>();
  readonly #active = new Map<Trouble, Disposable>();
  #classes: Deck<string> | null = null;

  constructor(world: World) {
    this.#world = world;
    this.#random = world.random.fork("troubles");
  }

  /** Begins one that concerns none of the devices that are in trouble already. */
  begin(trouble: Trouble, lastsMs: number): boolean {
    const { clock } = this.#world;
    const concerned = trouble.devices.map((id) => this.#state(id));
    if (concerned.some(({ troubledUntilMs }) => troubledUntilMs === Number.POSITIVE_INFINITY)) return false;
    this.fired.set(trouble.name, (this.fired.get(trouble.name) ?? 0) + 1);
    this.#world.events.add("trouble", [trouble.name, trouble.devices, Math.round(trouble.lastsMs ?? lastsMs)]);
    this.#active.set(trouble, trouble.begin());
    for (const state of concerned) {
      state.troubledUntilMs = Number.POSITIVE_INFINITY;
      if (trouble.isDeath) state.deaths.set(trouble, clock.monotonicMs());
    }
    clock.timer(trouble.lastsMs ?? lastsMs, () => this.#end(trouble));
    return true;
  }

  /** Begins one of a class that did not come lately, at devices by chance. */
  beginOne(troubles: readonly Trouble[]): boolean {
    this.#classes ??= new Deck(new Set(troubles.map(({ name }) => name)), this.#random);
    const lasts = this.#random.between(1, this.#random.isChance(0.2) ? 120 : 20) * MINUTE_MS;
    return this.#classes.draw((name) => {
      const [first, ...others] = troubles.filter((each) => each.name === name);
      return first !== undefined && this.begin(this.#random.pick([first, ...others]), lasts);
    });
  }

  isCalm({ id }: WeekDevice): boolean {
    return this.#world.clock.monotonicMs() >= this.#state(id).troubledUntilMs;
  }

  /** For how long nothing could be heard of it, ms; 0 while it is there. */
  deadMs({ id }: WeekDevice): number {
    const since = Math.min(Number.POSITIVE_INFINITY, ...this.#state(id).deaths.values());
    return since === Number.POSITIVE_INFINITY ? 0 : this.#world.clock.monotonicMs() - since;
  }

  /** Something that is no trouble, but takes a while to get over: a vehicle that leaves, a gateway that starts. */
  disturb(id: string, forMs: number): void {
    const state = this.#state(id);
    const untilMs = this.#world.clock.monotonicMs() + forMs;
    state.disturbedUntilMs = Math.max(state.disturbedUntilMs, untilMs);
    state.troubledUntilMs = Math.max(state.troubledUntilMs, untilMs);
  }

  #end(trouble: Trouble): void {
    this.#active.get(trouble)?.[Symbol.dispose]();
    this.#active.delete(trouble);
    this.#world.events.add("trouble over", [trouble.name, trouble.devices]);
    for (const id of trouble.devices) {
      const state = this.#state(id);
      state.deaths.delete(trouble);
      const restMs = LINGERING.has(trouble.name) ? LINGERS_MS : RECOVERED_MS;
      state.troubledUntilMs = Math.max(state.disturbedUntilMs, this.#world.clock.monotonicMs() + restMs);
    }
  }

  #state(id: string): State {
    const known = this.#states.get(id);
    if (known !== undefined) return known;
    const state: State = {
      troubledUntilMs: Number.NEGATIVE_INFINITY,
      disturbedUntilMs: Number.NEGATIVE_INFINITY,
      deaths: new Map(),
    };
    this.#states.set(id, state);
    return state;
  }
}
