/** Relay contacts of a grid operator's control box, read over MQTT or at inputs of devices. */
import type { GridLimitsSettings } from "../../config/grid-limits-config.ts";
import { SECOND_MS } from "../../domain/duration.ts";
import {
  type ContactInput,
  type ContactName,
  type ContactTiming,
  contactDemand,
  contactState,
  nextContactMs,
  readContact,
  settleContact,
  touchContact,
  UNREAD_CONTACT,
} from "../../domain/energy/limits/contact-input.ts";
import type { BrokerMessage, Clock, Log, MqttLink, MqttLinks } from "../../platform/ports/ports.ts";
import type { LimitSourceRecord } from "../../store/records/energy.ts";
import type { LimitSource } from "../contracts/energy/energy.ts";
import type { AppliedLimit, LimitBoard } from "./limit-board.ts";

export const CONTACTS_ID = "contacts";
const NAME = "Relay contacts";
const W_PER_KW = 1_000;
/** What programs publish of an input that they do not know. */
const UNKNOWN_VALUES = ["", "null", "none", "undef", "undefined", "nan", "unknown", "unavailable", "offline"];
/** Inputs of devices are looked at this often, ms. */
const LOOK_EVERY_MS = SECOND_MS;
type Contacts = NonNullable<GridLimitsSettings["contacts"]>;
type Input = NonNullable<Contacts["inputs"][ContactName]>;
type DeviceInput = Extract<Input, { readonly device: string }>;

/** The last reading of an input of a device. */
export interface InputReading {
  /** `null`: the device cannot say. */
  readonly isOn: boolean | null;
  /** Monotonic ms. */
  readonly readAtMs: number;
}

export interface ContactSourceNeeds {
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs">;
  readonly log: Log;
  readonly mqtt: MqttLinks;
  readonly board: LimitBoard;
  readonly contacts: Contacts;
  /** The last reading of an input; `null`: the device has none, or was never read. */
  readInput(device: string, point: DeviceInput["point"]): InputReading | null;
  /** What W4 leaves, W. */
  readonly dimW: number;
  /** Peak power of the panels, kW; `null` if it is not known. */
  panelsKw(): number | null;
  /** Wakes the loop, because something has changed or will. */
  changed(): void;
}

export class ContactSource implements Disposable {
  readonly #needs: ContactSourceNeeds;
  readonly #timing: ContactTiming;
  readonly #inputs = new Map<ContactName, ContactInput>();
  /** The contacts that were closed when their state was last known. */
  readonly #closed: Set<string>;
  /** Monotonic ms of the reading that was taken last. */
  readonly #takenMs = new Map<ContactName, number>();
  #link: MqttLink | null = null;
  #applied: { readonly import: AppliedLimit | null; readonly export: AppliedLimit | null };
  #sinceMs: { import: number; export: number };

  /** `before` is what the run before has stored. Until an input is read, it counts as dead, and so as dimmed. */
  constructor(needs: ContactSourceNeeds, before: LimitSourceRecord | null) {
    this.#needs = needs;
    this.#timing = { debounceMs: needs.contacts.debounceMs, deadMs: needs.contacts.deadSeconds * SECOND_MS };
    for (const name of this.#names()) this.#inputs.set(name, UNREAD_CONTACT);
    this.#closed = new Set(before?.closedContacts ?? []);
    this.#applied = { import: null, export: null };
    this.#sinceMs = { import: needs.clock.nowMs(), export: needs.clock.nowMs() };
  }

  /** Subscribes to the topics. Without a broker all inputs stay dead. */
  connect(): void {
    const { mqtt, log, contacts } = this.#needs;
    this.tick();
    const isOverMqtt = Object.values(contacts.inputs).some((input) => "topic" in input) || contacts.alive !== undefined;
    if (!isOverMqtt) return;
    try {
      this.#link = mqtt.link(null);
      for (const name of this.#names()) {
        const input = contacts.inputs[name];
        if (input !== undefined && "topic" in input)
          this.#link.subscribe(input.topic, (message) => this.#read(name, message));
      }
      if (contacts.alive !== undefined) {
        this.#link.subscribe(contacts.alive, ({ isRetained }) => (isRetained ? undefined : this.#touch()));
      }
    } catch (err) {
      log.error({ err }, "cannot read the relay contacts over MQTT; they count as dimmed");
    }
  }

  [Symbol.dispose](): void {
    this.#link?.[Symbol.dispose]();
  }

  /** Applies what time and messages changed. Returns true if a limit changed. */
  tick(): boolean {
    const { clock, board, dimW } = this.#needs;
    const nowMs = clock.monotonicMs();
    for (const name of this.#names()) this.#look(name, nowMs);
    for (const [name, input] of this.#inputs) this.#inputs.set(name, settleContact(input, this.#timing, nowMs));
    const states = new Map(
      [...this.#inputs].map(([name, input]) => {
        const state = contactState(input, this.#timing, nowMs);
        if (state === "closed") this.#closed.add(name);
        if (state === "open") this.#closed.delete(name);
        return [name, { state, wasClosed: this.#closed.has(name) }] as const;
      }),
    );
    const { feedInShare, isDimmed } = contactDemand(states);
    const isDead = [...states.values()].some(({ state }) => state === "dead");
    const isDimClosed = states.get("W4")?.state === "closed";
    const dimmed: AppliedLimit = { state: isDimClosed ? "limited" : "failsafe", watts: dimW, untilMs: null };
    const applied = {
      import: isDimmed ? dimmed : null,
      export: feedInShare === 1 ? null : this.#feedIn(feedInShare, isDead),
    };
    const isChanged = JSON.stringify(applied) !== JSON.stringify(this.#applied);
    for (const direction of ["import", "export"] as const) {
      if (JSON.stringify(applied[direction]) !== JSON.stringify(this.#applied[direction])) {
        this.#sinceMs[direction] = clock.nowMs();
      }
      const scope = direction === "import" ? "controllable" : "connection";
      board.set({ sourceId: CONTACTS_ID, sourceName: NAME, direction, scope }, applied[direction], "released");
    }
    this.#applied = applied;
    return isChanged;
  }

  nextMs(): number | null {
    const nowMs = this.#needs.clock.monotonicMs();
    const looks = Object.values(this.#needs.contacts.inputs).some((input) => "device" in input);
    const times = [...this.#inputs.values()]
      .flatMap((input) => nextContactMs(input, this.#timing) ?? [])
      .concat(looks ? [nowMs + LOOK_EVERY_MS] : [])
      .filter((time) => time > nowMs);
    return times.length === 0 ? null : Math.min(...times);
  }

  view(): LimitSource {
    const directions = (["import", "export"] as const).map((direction) => ({
      direction,
      scope: direction === "import" ? ("controllable" as const) : ("connection" as const),
      state: this.#applied[direction]?.state ?? "free",
      sinceMs: this.#sinceMs[direction],
      appliedW: this.#applied[direction]?.watts ?? null,
      untilMs: null,
      failsafeW: direction === "import" ? this.#needs.dimW : null,
      failsafeMs: null,
    }));
    return {
      id: CONTACTS_ID,
      kind: "contacts",
      name: NAME,
      heartbeatLostMs: this.#timing.deadMs,
      directions,
      warnings: this.#silentInputs(),
    };
  }

  /** Says of each contact that is not known where it would be read. */
  #silentInputs(): readonly string[] {
    const nowMs = this.#needs.clock.monotonicMs();
    return this.#names().flatMap((name) => {
      const input = this.#needs.contacts.inputs[name];
      const isDead = contactState(this.#inputs.get(name) ?? UNREAD_CONTACT, this.#timing, nowMs) === "dead";
      if (input === undefined || !isDead) return [];
      const where =
        "device" in input ? `device ${input.device} shows no ${input.point}` : `nothing comes at ${input.topic}`;
      return [`${name} is not known: ${where}; the contacts count as dimmed`];
    });
  }

  record(): LimitSourceRecord {
    const closedContacts = [...this.#closed];
    const { deadMs: heartbeatLostMs } = this.#timing;
    return { id: CONTACTS_ID, kind: "contacts", name: NAME, heartbeatLostMs, directions: [], closedContacts };
  }

  /** The share of an unknown peak power is 0: nothing is fed in that must not be. */
  #feedIn(share: number, isDead: boolean): AppliedLimit {
    const watts = Math.round(share * (this.#needs.panelsKw() ?? 0) * W_PER_KW);
    return { state: isDead ? "failsafe" : "limited", watts, untilMs: null };
  }

  #names(): readonly ContactName[] {
    return Object.keys(this.#needs.contacts.inputs) as ContactName[];
  }

  /** Takes a new reading of an input of a device. One that does not come any more lets the input die. */
  #look(name: ContactName, nowMs: number): void {
    const { contacts, readInput } = this.#needs;
    const input = contacts.inputs[name];
    if (input === undefined || !("device" in input)) return;
    const reading = readInput(input.device, input.point);
    if (reading === null || reading.isOn === null || reading.readAtMs <= (this.#takenMs.get(name) ?? -Infinity)) return;
    this.#takenMs.set(name, reading.readAtMs);
    const before = this.#inputs.get(name) ?? UNREAD_CONTACT;
    const isClosed = reading.isOn === input.closedWhen;
    const taken = readContact(before, isClosed, this.#timing, nowMs);
    this.#inputs.set(name, { ...taken, aliveAtMs: reading.readAtMs });
  }

  /** What the broker has kept says how the contact was last, and not that the box lives. */
  #read(name: ContactName, { payload, isRetained }: BrokerMessage): void {
    const { contacts, clock, log } = this.#needs;
    const input = contacts.inputs[name];
    if (input === undefined || !("topic" in input)) return;
    const value = contactValue(Buffer.from(payload).toString("utf8"), input.path);
    const isKnown = value !== null && (isListed(value, input.closed) || !isListed(value, UNKNOWN_VALUES));
    if (!isKnown) {
      log.debug({ contact: name }, "message of a relay contact has no value; it is ignored");
      return;
    }
    const isClosed = isListed(value, input.closed);
    const before = this.#inputs.get(name) ?? UNREAD_CONTACT;
    const read = readContact(before, isClosed, this.#timing, clock.monotonicMs());
    this.#inputs.set(name, isRetained ? { ...read, aliveAtMs: before.aliveAtMs } : read);
    if (isRetained && isClosed) this.#closed.add(name);
    if (isRetained && !isClosed) this.#closed.delete(name);
    this.#needs.changed();
  }

  #touch(): void {
    const nowMs = this.#needs.clock.monotonicMs();
    for (const [name, input] of this.#inputs) {
      // What is read by the gateway itself lives by its own readings.
      const isOverMqtt = "topic" in (this.#needs.contacts.inputs[name] ?? {});
      if (isOverMqtt) this.#inputs.set(name, touchContact(input, this.#timing, nowMs));
    }
    this.#needs.changed();
  }
}

function isListed(value: string, list: readonly string[]): boolean {
  return list.some((each) => each.toLowerCase() === value.toLowerCase());
}

/** Returns the value of a message as text; `null` if it has none. */
function contactValue(text: string, path: string | undefined): string | null {
  if (path === undefined) return text.trim();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return null;
    value = Reflect.get(value, key);
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}
