import type { CloudSession } from "../kit/connector.ts";
import { parsed } from "../kit/device/parsed.ts";
import { Summary, type Thermostat, Thermostats } from "./schemas.ts";

const BASE = "https://api.ecobee.com/1";
const ALL = { selectionType: "registered", selectionMatch: "" };
export const STATE_KEY = "thermostats";

export const BUDGET = "requests";

/**
 * The thermostats of an account. ecobee wants the short summary to be asked, and the long answer only when its revisions
 * say that something changed.
 */
export class EcobeeAccount {
  readonly #session: CloudSession;
  #revisions: string | null = null;
  #thermostats: ReadonlyMap<string, Thermostat> = new Map();

  constructor(session: CloudSession) {
    this.#session = session;
  }

  /** The one of the session, which all its devices share. */
  static of(session: CloudSession, signal: AbortSignal): Promise<EcobeeAccount> {
    return session.shared("account", Number.POSITIVE_INFINITY, async () => new EcobeeAccount(session), signal);
  }

  /** As they are now, or were at most `freshMs` ago. */
  thermostats(freshMs: number, signal: AbortSignal): Promise<ReadonlyMap<string, Thermostat>> {
    return this.#session.shared(STATE_KEY, freshMs, (limited) => this.#refresh(limited), signal);
  }

  async command(id: string, change: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
    const json = { selection: { selectionType: "thermostats", selectionMatch: id }, ...change };
    try {
      const url = `${BASE}/thermostat`;
      await this.#session.ask(
        { method: "POST", url, query: { format: "json" }, body: { json }, purpose: "command" },
        signal,
      );
    } finally {
      this.#revisions = null;
      this.#session.outdate(STATE_KEY);
    }
  }

  async #refresh(signal: AbortSignal): Promise<ReadonlyMap<string, Thermostat>> {
    const { revisionList } = parsed(Summary, await this.#get("thermostatSummary", {}, signal), "thermostatSummary");
    const revisions = revisionList.map(changesOf).sort().join("\n");
    if (revisions === this.#revisions) return this.#thermostats;
    const included = { includeRuntime: true, includeSettings: true, includeEvents: true, includeEquipmentStatus: true };
    const { thermostatList } = parsed(Thermostats, await this.#get("thermostat", included, signal), "thermostat");
    this.#thermostats = new Map(thermostatList.map((each) => [String(each.identifier), each]));
    this.#revisions = revisions;
    return this.#thermostats;
  }

  #get(path: string, included: Readonly<Record<string, boolean>>, signal: AbortSignal) {
    const query = { json: JSON.stringify({ selection: { ...ALL, ...included } }) };
    return this.#session.ask({ method: "GET", url: `${BASE}/${path}`, query }, signal);
  }
}

/** What of a summary's line stands for a change that matters here: alerts and five-minute intervals do not. */
function changesOf(line: string): string {
  const parts = line.split(":");
  const [connected, thermostat, , runtime] = parts.slice(-5);
  return [parts[0], connected, thermostat, runtime].join(":");
}
