/** Figures as Prometheus reads them: text format 0.0.4. */

/** A value of a metric; labels tell several apart. Label values are the gateway's own words and ids. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  /** A counter only grows while the process lives. */
  readonly type: "counter" | "gauge";
  readonly samples: readonly Sample[];
}

export function gauge(name: string, help: string, value: number): Metric {
  return { name: `hemgate_${name}`, help, type: "gauge", samples: [{ value }] };
}

export function counter(name: string, help: string, value: number): Metric {
  return { ...gauge(name, help, value), type: "counter" };
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(textOf).join("");
}

function textOf({ name, help, type, samples }: Metric): string {
  const lines = samples.map(({ labels = {}, value }) => `${name}${labelsText(labels)} ${valueText(value)}`);
  return `${[`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines].join("\n")}\n`;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeHelp(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function valueText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
