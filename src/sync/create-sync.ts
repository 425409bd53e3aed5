import type { Engine } from "../engine/contracts/engine.ts";
import type { Clock, Http, Log, Random } from "../platform/ports/ports.ts";
import type { Store } from "../store/store.ts";
import { LiveService } from "./live/live-service.ts";
import type { PayloadMapper } from "./webhooks/event-text.ts";
import { WebhookService } from "./webhooks/webhook-service.ts";

export interface SyncOptions {
  readonly engine: Pick<Engine, "assets" | "actions" | "services">;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly log: Log;
  readonly config: {
    readonly webhooks: { readonly allowInsecureLan: boolean; readonly maxWebhooks: number };
    readonly sandbox: { readonly isEnabled: boolean };
    readonly compat: { readonly namePrefix: string };
  };
  readonly mapped: PayloadMapper;
  readonly newestVersion: string;
}

/** Webhooks and live streams, which send the journal to others. Disposing it ends both at once. */
export interface Sync extends AsyncDisposable {
  readonly webhooks: WebhookService;
  readonly live: LiveService;
}

export function createSync({ engine, config, ...options }: SyncOptions): Sync {
  const isDeauthorized = (userId: string): boolean => engine.services.users.get(userId)?.isDeauthorized ?? false;
  const rules = { ...config.webhooks, allowLoopback: config.sandbox.isEnabled, namePrefix: config.compat.namePrefix };
  const webhooks = new WebhookService({ ...options, rules, isDeauthorized });
  const { assets, actions } = engine;
  const systems = (userId: string | null) =>
    engine.services.hemSystems.list(userId ?? undefined).map(({ system }) => system);
  const live = new LiveService({
    ...options,
    assets,
    actions,
    isDeauthorized,
    systems,
    powers: engine.services.housePowers,
  });
  return {
    webhooks,
    live,
    async [Symbol.asyncDispose]() {
      await Promise.all([webhooks[Symbol.asyncDispose](), live[Symbol.asyncDispose]()]);
    },
  };
}
