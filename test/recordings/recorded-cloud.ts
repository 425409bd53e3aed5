/** Recorded and documented answers of vendors' clouds, served by path. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CloudConnector, CloudSession } from "../../adapters/clouds/kit/connector.ts";
import type { SimWebAnswer } from "../../src/testing/network/sim-web.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { fakeSession } from "../adapters/clouds/fake-session.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "../twins/clouds/cloud-twin.ts";
import { recordingAt } from "./recordings.ts";

const CLOUDS = recordingAt("devices/cloud");

export function recorded(vendor: string, file: string): unknown {
  return JSON.parse(readFileSync(join(CLOUDS, vendor, file), "utf8"));
}

class RecordedCloud extends CloudTwin {
  readonly hosts = [];
  readonly #bodies: Readonly<Record<string, unknown>>;

  constructor(bodies: Readonly<Record<string, unknown>>) {
    super(new VirtualClock());
    this.#bodies = bodies;
  }

  protected answer({ url }: AskedOfTwin): SimWebAnswer {
    const body = this.#bodies[url.pathname];
    return body === undefined ? jsonAnswer({ error: "not recorded" }, 404) : jsonAnswer(body);
  }
}

/** A session at a cloud that answers these bodies, by path, and 404 to everything else. */
export function recordedSession(connector: CloudConnector, bodies: Readonly<Record<string, unknown>>): CloudSession {
  const grant = { access: "token", refresh: null, expiresAtMs: null };
  return fakeSession({ connector, twin: new RecordedCloud(bodies), grant });
}
