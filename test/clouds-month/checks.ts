/** What must hold of the journal and of commands, whatever happens. */

import type { World } from "../../src/testing/world.ts";
import { actionBreaches } from "../long-run/action-checks.ts";
import type { GatewayBox, RunningGateway } from "../long-run/gateway-box.ts";
import { Acknowledged } from "../long-run/invariants/acknowledged.ts";
import { JournalWatch } from "../long-run/journal-watch.ts";
import { field } from "../long-run/json-fields.ts";
import { Tally } from "../long-run/tally.ts";

const ENDING_SLACK_MS = 60_000;
const LOST = "user:credentials:invalidated";
/**
 * More than between two starts. Of actions that ended the store keeps 1,000, by when they did: those whose client got no
 * answer are among them, and one that a clock dated which was 20 days behind goes before others that are older.
 */
const MOST_ACKNOWLEDGED = 200;

export class Checks {
  readonly #world: World;
  readonly #box: GatewayBox;
  readonly #journal: JournalWatch;
  readonly #actions = new Acknowledged(MOST_ACKNOWLEDGED);
  /** How often each user's credentials were told as lost. */
  readonly lost = new Tally();
  readonly ended = new Tally();

  constructor(world: World, box: GatewayBox) {
    this.#world = world;
    this.#box = box;
    this.#journal = new JournalWatch(world, box);
  }

  acknowledged(actionId: string): void {
    this.#actions.remember(actionId);
  }

  /** While a clock that is right shows when an action has to end. */
  actions(areTimed: boolean): readonly string[] {
    const { running } = this.#box;
    return running === null
      ? []
      : actionBreaches(this.#world, running, { slackMs: ENDING_SLACK_MS, isTimed: areTimed });
  }

  async newJournal(): Promise<readonly string[]> {
    return await this.#journal.read(({ event, payload }) => {
      if (event === LOST) this.lost.count(String(field(payload, "user", "id")));
      if (event === "user:vendor-action:updated") this.ended.count(String(field(payload, "vendorAction", "state")));
    });
  }

  /** What was acknowledged before a power cut is there after it. */
  afterStart({ gateway }: RunningGateway): readonly string[] {
    return this.#actions.breaches((id) => gateway.store.get("action", id) !== null);
  }
}
