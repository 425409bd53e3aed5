import type { Action } from "../domain/actions/action.ts";
import { isPending } from "../domain/actions/action-machine.ts";
import { ASSET_KINDS, type AssetKind } from "../domain/assets/asset.ts";
import { ProblemError, problem } from "../domain/problem.ts";
import type { Engine } from "../engine/contracts/engine.ts";
import type { Audit } from "../engine/contracts/people.ts";
import { KeyedMutex } from "../platform/keyed-mutex.ts";
import type { BrokerMessage, Clock, Log, MqttLink } from "../platform/ports/ports.ts";
import { TokenBuckets } from "../platform/token-buckets.ts";
import { readSetting } from "./command-settings.ts";
import { setEnergy } from "./energy-commands.ts";
import { COMMAND_FILTER, ENERGY_SITE } from "./reserved-topics.ts";

const MAX_PAYLOAD_BYTES = 1_024;
/** Commands that are being stored; further ones are refused. */
const MAX_AT_ONCE = 50;
/** Actions whose results are published. */
const MAX_FOLLOWED = 1_000;
const MAX_DEVICES = 5_000;

interface CommandParts {
  readonly engine: Pick<Engine, "assets" | "actions"> & {
    readonly services: Pick<Engine["services"], "energy" | "siteConnections">;
  };
  readonly audit: Pick<Audit, "note">;
  readonly link: MqttLink;
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs">;
  readonly log: Pick<Log, "info" | "warn">;
  /** What problem types begin with. */
  readonly problemBase: string;
  readonly limits: { readonly commandsPerMinute: number; readonly commandsPerDevicePerMinute: number };
}

/**
 * Takes commands at `hemgate/<kind>/<id>/<setting>/set`. Each becomes an action as a client's request does, with the same
 * checks, and its states are published at `…/set/result`. What is set on the energy manager (`hemgate/energy/…`) needs no
 * action, and is answered with what applies then. A retained command is refused: it would come again with
 * every connection. Disposing ends it; actions under way go on.
 */
export function takeCommands(parts: CommandParts): Disposable {
  const commands = new Commands(parts);
  const all = new DisposableStack();
  all.use(parts.link.subscribe(COMMAND_FILTER, (message) => commands.take(message)));
  all.use(parts.engine.actions.observe((action) => commands.tell(action)));
  return all;
}

class Commands {
  readonly #parts: CommandParts;
  /** The topics at which the states of an action are published, by its id. */
  readonly #followed = new Map<string, Set<string>>();
  readonly #ofAll: TokenBuckets;
  readonly #ofDevice: TokenBuckets;
  /** By device: a setting of the energy manager begins with what the one before it has set. */
  readonly #inOrder = new KeyedMutex({ maxWaiting: null });
  #atOnce = 0;

  constructor(parts: CommandParts) {
    this.#parts = parts;
    const { commandsPerMinute, commandsPerDevicePerMinute } = parts.limits;
    const buckets = (perMinute: number, maxKeys: number): TokenBuckets =>
      new TokenBuckets({ capacity: perMinute, perMinute, maxKeys }, parts.clock);
    this.#ofAll = buckets(commandsPerMinute, 1);
    this.#ofDevice = buckets(commandsPerDevicePerMinute, MAX_DEVICES);
  }

  take(message: BrokerMessage): void {
    // An empty payload only deletes a retained command; it is no command.
    if (message.payload.length === 0) return;
    if (this.#atOnce >= MAX_AT_ONCE) {
      this.#refuse(message.topic, problem("too-many-requests", "Too many commands are under way."));
      return;
    }
    this.#atOnce += 1;
    void this.#run(message).finally(() => {
      this.#atOnce -= 1;
    });
  }

  tell(action: Action): void {
    for (const topic of this.#followed.get(action.id) ?? []) {
      this.#publish(`${topic}/result`, { state: action.state, action });
    }
    if (!isPending(action)) this.#followed.delete(action.id);
  }

  async #run({ topic, payload, isRetained }: BrokerMessage): Promise<void> {
    const { link, engine } = this.#parts;
    try {
      if (isRetained) {
        // Otherwise it would come back with every connection.
        await link.publish({ topic, payload: new Uint8Array(), isRetained: true }).catch(() => undefined);
        throw problem("bad-request", "Commands are sent without the retain flag: a kept one would come again.");
      }
      const [, kindName = "", id = "", setting = ""] = topic.split("/");
      if (kindName === "energy") {
        this.#publish(`${topic}/result`, { state: "CONFIRMED", ...(await this.#setEnergy(id, setting, payload)) });
        return;
      }
      const { targetId, target } = this.#read(topic, payload);
      const action = await engine.actions.start(targetId, target, "client");
      // Brokers elsewhere do not say who published a message.
      const who = { kind: "mqtt", id: null, name: null } as const;
      this.#parts.audit.note({ who, method: null, path: topic, status: null, outcome: "done" });
      this.#follow(action, topic);
      this.#publish(`${topic}/result`, { state: action.state, action });
    } catch (error) {
      this.#refuse(topic, error);
    }
  }

  #read(topic: string, payload: Uint8Array) {
    const [, kindName = "", targetId = "", setting = ""] = topic.split("/");
    const kind = ASSET_KINDS.find((each) => each === kindName);
    const asset = kind === undefined ? null : this.#parts.engine.assets.get(kind, targetId);
    if (kind === undefined || asset === null) throw problem("not-found", `There is no ${kindName} ${targetId}.`);
    const target = readSetting(kind satisfies AssetKind, setting, this.#accept(targetId, payload), asset);
    if (target === null) throw problem("not-found", `A ${kind} has no setting ${setting} that takes commands.`);
    return { targetId, target };
  }

  async #setEnergy(id: string, setting: string, payload: Uint8Array): Promise<object> {
    const { assets, services } = this.#parts.engine;
    const kinds = ["charger", "vehicle", "hvac"] as const;
    const isKnown = id === ENERGY_SITE || kinds.some((kind) => assets.get(kind, id) !== null);
    if (!isKnown) throw problem("not-found", `The energy manager sets nothing on "${id}".`);
    const text = this.#accept(id, payload);
    const nowMs = this.#parts.clock.nowMs();
    const changed = await this.#inOrder.run(id, () => setEnergy(services, { id, setting, payload: text, nowMs }));
    if (changed === null) throw problem("not-found", `The energy manager has no setting ${setting} there.`);
    return changed;
  }

  /** Counts a command for a target. Returns its text. Throws `too-many-requests` and `payload-too-large`. */
  #accept(targetId: string, payload: Uint8Array): string {
    this.#spend(targetId);
    if (payload.length > MAX_PAYLOAD_BYTES) {
      throw problem("payload-too-large", `A command has at most ${MAX_PAYLOAD_BYTES} bytes.`);
    }
    return Buffer.from(payload).toString("utf8");
  }

  /** A command takes from both or from none. */
  #spend(targetId: string): void {
    const waitMs = Math.max(this.#ofAll.look("mqtt").waitMs, this.#ofDevice.look(targetId).waitMs);
    if (waitMs > 0) {
      throw problem("too-many-requests", `Too many commands in a short time; wait ${Math.ceil(waitMs / 1_000)} s.`);
    }
    this.#ofAll.take("mqtt");
    this.#ofDevice.take(targetId);
  }

  #follow(action: Action, topic: string): void {
    if (!isPending(action)) return;
    const topics = this.#followed.get(action.id) ?? new Set();
    this.#followed.set(action.id, topics.add(topic));
    for (const oldest of this.#followed.keys()) {
      if (this.#followed.size <= MAX_FOLLOWED) break;
      this.#followed.delete(oldest);
    }
  }

  #refuse(topic: string, error: unknown): void {
    if (!(error instanceof ProblemError)) this.#parts.log.warn({ err: error, topic }, "MQTT command failed");
    const { slug, title, message } =
      error instanceof ProblemError ? error : problem("server-error", "The gateway failed; its log says why.");
    this.#publish(`${topic}/result`, {
      state: "REFUSED",
      problem: { type: `${this.#parts.problemBase}/${slug}`, title, detail: message },
    });
  }

  #publish(topic: string, content: object): void {
    const payload = new TextEncoder().encode(JSON.stringify(content));
    this.#parts.link.publish({ topic, payload, isRetained: false }).catch((err: unknown) => {
      this.#parts.log.warn({ err, topic }, "MQTT command's result not published");
    });
  }
}
