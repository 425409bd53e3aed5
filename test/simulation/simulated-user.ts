import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { Answer, ApiClient } from "../long-run/api-client.ts";
import { entriesOf, field } from "../long-run/json-fields.ts";

/** A command that the user sends. */
export interface UserCommand {
  readonly resource: "batteries" | "chargers";
  readonly path: "operation-mode" | "charging" | "max-current";
  readonly body: Readonly<Record<string, unknown>>;
}

const MODES = ["IMPORT_FOCUS", "EXPORT_FOCUS", "SELF_RELIANCE", "IDLE"] as const;
const CURRENTS_A = [6, 8, 10, 13, 16] as const;

/** Somebody in the house with an app: a client of the API like any other, with a mind of its own from the seed. */
export class SimulatedUser {
  readonly client: ApiClient;
  readonly #random: SeededRandom;

  constructor(random: SeededRandom, client: ApiClient) {
    this.#random = random;
    this.client = client;
  }

  nextCommand(): UserCommand {
    const choice = this.#random.next();
    if (choice < 0.45) {
      return { resource: "batteries", path: "operation-mode", body: { operationMode: this.#random.pick(MODES) } };
    }
    if (choice < 0.75) {
      return { resource: "chargers", path: "charging", body: { action: this.#random.pick(["START", "STOP"]) } };
    }
    return { resource: "chargers", path: "max-current", body: { maxCurrent: this.#random.pick(CURRENTS_A) } };
  }

  /** Sends a command to the first device of its kind; `null` if there is no device or no gateway. */
  async command({ resource, path, body }: UserCommand): Promise<Answer | null> {
    const page = await this.client.send("GET", `/${resource}`);
    if (page?.status !== 200) return page;
    const id = firstId(page.body);
    return id === null ? null : await this.client.send("POST", `/${resource}/${id}/${path}`, body);
  }
}

/** The id of the first entry of a page. */
function firstId(page: unknown): string | null {
  const entry = entriesOf(page)[0];
  const id = entry === undefined ? undefined : field(entry, "id");
  return typeof id === "string" ? id : null;
}
