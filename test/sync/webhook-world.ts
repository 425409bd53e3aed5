/** Webhooks over a real store in a simulated world: receivers in memory, gateways that come and go. */
import type { WebhookCreate } from "../../src/domain/webhooks/webhook.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Write } from "../../src/store/records.ts";
import type { Store } from "../../src/store/store.ts";
import { type WebhookOptions, WebhookService } from "../../src/sync/webhooks/webhook-service.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import type { SimWebAnswer, SimWebRequest } from "../../src/testing/network/sim-web.ts";
import { type SimProcess, World } from "../../src/testing/world.ts";

const LIMIT_MS = 60_000;
export const CLIENT = "client-1";

/** An event as a receiver reads it. */
export interface Received {
  readonly event: string;
  readonly createdAt: string;
  readonly version: string;
  readonly user?: { readonly id: string };
  readonly pendingEvents?: number;
  readonly n?: number;
}

/** A receiver: what it got, and how it answers. */
export class Receiver {
  readonly requests: SimWebRequest[] = [];
  answer: (request: SimWebRequest) => SimWebAnswer = () => ({ status: 200 });

  /** Takes part in `SimWeb.serve`. */
  readonly serve = (request: SimWebRequest): SimWebAnswer => {
    this.requests.push(request);
    return this.answer(request);
  };

  /** The deliveries, each with its events. */
  get deliveries(): readonly (readonly Received[])[] {
    return this.requests.map(({ body }) => JSON.parse(body));
  }

  /** All events in the order they came, heartbeats left out. */
  get events(): readonly Received[] {
    return this.deliveries.flat().filter(({ event }) => event !== "system:heartbeat");
  }

  get numbers(): readonly (number | undefined)[] {
    return this.events.map(({ n }) => n);
  }

  get heartbeats(): readonly Received[] {
    return this.deliveries.flat().filter(({ event }) => event === "system:heartbeat");
  }
}

export interface HookRun {
  readonly store: Store;
  readonly webhooks: WebhookService;
  readonly process: SimProcess;
}

export class HookWorld {
  readonly world: World;
  readonly disk = new MemoryDisk();
  readonly deauthorized = new Set<string>();
  readonly options: Partial<WebhookOptions>;
  #run: HookRun | null = null;
  #sent = 0;

  constructor(seed = 1, options: Partial<WebhookOptions> = {}) {
    this.world = new World({ seed });
    this.options = options;
  }

  get run(): HookRun {
    if (this.#run === null) throw new Error("no gateway runs");
    return this.#run;
  }

  get isRunning(): boolean {
    return this.#run !== null;
  }

  get clock() {
    return this.world.clock;
  }

  receiver(name = "hooks.example", address = "93.184.216.34"): Receiver {
    const receiver = new Receiver();
    this.world.web.serve(name, address, receiver.serve);
    return receiver;
  }

  async start(): Promise<HookRun> {
    const process = this.world.boot("gateway", this.disk);
    const { clock, random, log, http, disk } = process.platform;
    const store = await this.resolve(openStore({ disk, clock, random, log }));
    const webhooks = new WebhookService({
      store,
      clock,
      random,
      log,
      http,
      rules: { allowInsecureLan: false, allowLoopback: false, maxWebhooks: 20, namePrefix: "Service" },
      mapped: (_event, payload) => payload,
      newestVersion: "2024-10-01",
      isDeauthorized: (userId) => this.deauthorized.has(userId),
      ...this.options,
    });
    this.#run = { store, webhooks, process };
    return this.#run;
  }

  async stop(): Promise<void> {
    const { store, webhooks, process } = this.run;
    this.#run = null;
    await this.resolve(webhooks[Symbol.asyncDispose]());
    await this.resolve(Promise.resolve(store[Symbol.asyncDispose]()));
    process.kill();
  }

  /** Ends the gateway as a power cut does. */
  kill(): void {
    this.run.process.kill();
    this.#run = null;
    this.disk.crash();
  }

  async create(input: Partial<WebhookCreate> = {}, client = CLIENT) {
    return await this.resolve(
      this.run.webhooks.create(client, {
        url: "https://hooks.example/in",
        secret: "example-secret",
        events: ["*"],
        apiVersion: null,
        authentication: null,
        ...input,
      }),
    );
  }

  /** Journals an event; its number is its place among all. */
  async tell(event = "user:battery:updated", user = "home", writes: readonly Write[] = []): Promise<number> {
    const n = this.#sent;
    this.#sent += 1;
    await this.resolve(this.run.store.commit(writes, [{ event, payload: { user: { id: user }, n } }]));
    return n;
  }

  /** Journals many events in one commit. */
  async tellMany(count: number, filler = ""): Promise<void> {
    const entries = Array.from({ length: count }, (_unused, at) => ({
      event: "user:battery:updated",
      payload: { user: { id: "home" }, n: this.#sent + at, filler },
    }));
    this.#sent += count;
    await this.resolve(this.run.store.commit([], entries));
  }

  get sent(): number {
    return this.#sent;
  }

  resolve<T>(promise: Promise<T>): Promise<T> {
    return this.clock.resolve(promise, LIMIT_MS);
  }

  pass(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }
}
