/** Serves the gateway's metrics (rule S11.4). They are text, so the OpenAPI description does not list them. */
import type { Api } from "../api.ts";
import { Metrics, type MetricsParts } from "../metrics/metrics.ts";
import { METRICS_TYPE, metricsText } from "../metrics/metrics-text.ts";

const METRICS_PATH = "/metrics";

/** Serves the figures, and counts the answers of the whole server. */
export function metricsRoutes(api: Api, parts: MetricsParts): void {
  const metrics = new Metrics(parts);
  api.addHook("onResponse", (_request, reply, done) => {
    metrics.answered(reply.statusCode);
    done();
  });
  api.addHook("onClose", (_api, done) => {
    metrics[Symbol.dispose]();
    done();
  });
  api.get(METRICS_PATH, { schema: { hide: true } }, async (_request, reply) =>
    reply.type(METRICS_TYPE).send(metricsText(await metrics.read())),
  );
}
