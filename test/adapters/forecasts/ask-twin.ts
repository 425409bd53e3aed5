/** A request of a source straight to a twin: no quota, no tries, no time. */
import type { ForecastRequest } from "../../../src/sdk/forecast-source.ts";
import type { CloudTwin } from "../../twins/clouds/cloud-twin.ts";

export interface TwinAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export function askTwin(twin: CloudTwin, { url, headers = {} }: ForecastRequest): TwinAnswer {
  const { host, pathname, search, hostname } = new URL(url);
  if (!twin.hosts.includes(hostname)) throw new Error(`the twin is not at ${hostname}`);
  const answer = twin.serve({ method: "GET", host, path: `${pathname}${search}`, headers, body: "", atMs: 0 });
  return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: json(answer.body ?? "") };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
