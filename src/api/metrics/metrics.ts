/** The figures by which the gateway and its house are watched. Ids of devices, assets, webhooks and energy systems are the only names in them. */
import type { Action } from "../../domain/actions/action.ts";
import { isPending } from "../../domain/actions/action-machine.ts";
import { SECOND_MS } from "../../domain/duration.ts";
import type { WebhookProgress } from "../../engine/contracts/webhooks.ts";
import type { Store } from "../../store/store.ts";
import type { ApiParts } from "../api.ts";
import { cloudMetrics } from "./cloud-metrics.ts";
import { energyMetrics } from "./energy-metrics.ts";
import { houseMetrics } from "./house-metrics.ts";
import { influxMetrics } from "./influx-metrics.ts";
import { counter, gauge, type Metric } from "./metrics-text.ts";
import { proxyMetrics } from "./proxy-metrics.ts";

const STATUS_CLASSES = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;
const FINAL_STATES = ["CONFIRMED", "FAILED", "CANCELLED"] as const;

export type MetricsParts = Pick<
  ApiParts,
  "engine" | "webhooks" | "notifications" | "influx" | "cloud" | "proxy" | "store" | "clock"
>;

/** Counts from when it is made until it is disposed. */
export class Metrics implements Disposable {
  readonly #parts: MetricsParts;
  readonly #startedAtMs: number;
  readonly #answers = new Map<string, number>();
  readonly #ended = new Map<Action["state"], number>();
  readonly #watch: Disposable;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    this.#startedAtMs = parts.clock.monotonicMs();
    this.#watch = parts.engine.actions.observe((action) => {
      if (!isPending(action)) this.#ended.set(action.state, (this.#ended.get(action.state) ?? 0) + 1);
    });
  }

  /** A request was answered. */
  answered(status: number): void {
    const kind = `${Math.floor(status / 100)}xx`;
    this.#answers.set(kind, (this.#answers.get(kind) ?? 0) + 1);
  }

  /** All figures as they are now. */
  async read(): Promise<readonly Metric[]> {
    const { engine, webhooks, notifications, influx = null, cloud, store, clock } = this.#parts;
    const uptime = (clock.monotonicMs() - this.#startedAtMs) / SECOND_MS;
    const { taken, dropped } = engine.readings;
    return [
      gauge("uptime_seconds", "Seconds that the gateway runs, by a clock that is never set.", uptime),
      gauge("ready", "1 when all is nominal, as GET /health/ready has it.", Number(engine.readiness().isReady)),
      gauge("store_writable", "1 while the store takes writes.", Number(store.isWritable)),
      {
        ...gauge("disk_free_bytes", "What can still be written where the store is, as of the last look.", 0),
        samples: store.space.freeBytes === null ? [] : [{ value: store.space.freeBytes }],
      },
      gauge("disk_short", "1 while the disk is almost full and history waits in memory.", Number(store.space.isShort)),
      ...deviceMetrics(engine),
      houseMetric(engine),
      ...houseMetrics({ devices: engine.devices(), services: engine.services, clock }),
      ...energyMetrics(engine.services),
      counter("readings_total", "Readings taken from devices.", taken),
      counter("dropped_readings_total", "Readings of devices that were not what their point says.", dropped),
      {
        ...counter("actions_total", "Commands that ended, by their final state.", 0),
        samples: FINAL_STATES.map((state) => ({ labels: { state }, value: this.#ended.get(state) ?? 0 })),
      },
      gauge("actions_pending", "Commands that have not ended.", pendingOf(store)),
      gauge("journal_epoch", "Starts of the store; each restarts the journal's count.", store.journalEnd.epoch),
      gauge("journal_position", "Entries that the journal took since the start.", store.journalEnd.seq),
      ...webhookMetrics(webhooks.progress(), store.journalEnd),
      gauge(
        "notification_channels_failing",
        "Channels whose last message to people did not arrive.",
        notifications.channels().filter(({ failures }) => failures > 0).length,
      ),
      ...proxyMetrics(this.#parts.proxy),
      ...(influx === null ? [] : influxMetrics(influx.figures())),
      ...cloudMetrics(cloud.figures(), await cloud.streams(), clock),
      {
        ...counter("http_requests_total", "Requests answered, by class of status.", 0),
        samples: STATUS_CLASSES.map((status) => ({ labels: { status }, value: this.#answers.get(status) ?? 0 })),
      },
    ];
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }
}

function deviceMetrics(engine: MetricsParts["engine"]): readonly Metric[] {
  const devices = engine.devices();
  const reachable = devices.filter(({ isReachable }) => isReachable).length;
  return [
    {
      ...gauge("devices", "Devices, by whether they answer.", 0),
      samples: [
        { labels: { reachable: "true" }, value: reachable },
        { labels: { reachable: "false" }, value: devices.length - reachable },
      ],
    },
    gauge("stalled_device_loops", "Loops of devices that do not turn any more.", engine.stalledLoops().length),
  ];
}

/** A house whose load is not known has no sample. */
function houseMetric(engine: MetricsParts["engine"]): Metric {
  return {
    ...gauge("house_load_watts", "What a house uses, charging vehicles too, by its energy system.", 0),
    samples: engine.services.housePowers
      .list()
      .flatMap(({ hemSystemId, loadW }) => (loadW === null ? [] : [{ labels: { system: hemSystemId }, value: loadW }])),
  };
}

function webhookMetrics(webhooks: readonly WebhookProgress[], end: Store["journalEnd"]): readonly Metric[] {
  const each = (figure: (webhook: WebhookProgress) => number) =>
    webhooks.map((webhook) => ({ labels: { webhook: webhook.id }, value: figure(webhook) }));
  return [
    {
      ...gauge("webhook_lag", "Entries that the journal took since the start and the webhook has not passed.", 0),
      samples: each(({ position }) => (position.epoch === end.epoch ? end.seq - position.seq : end.seq)),
    },
    {
      ...gauge("webhook_epochs_behind", "1 when a webhook has entries of an earlier start before it.", 0),
      samples: each(({ position }) => Number(position.epoch < end.epoch)),
    },
    {
      ...gauge("webhook_active", "1 while events are sent to a webhook.", 0),
      samples: each(({ isActive }) => Number(isActive)),
    },
    {
      ...gauge("webhook_failures", "Failed deliveries of a webhook in a row.", 0),
      samples: each(({ failures }) => failures),
    },
  ];
}

function pendingOf(store: Pick<Store, "all">): number {
  return store.all("action").filter(({ action }) => isPending(action)).length;
}
