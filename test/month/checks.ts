/** What must hold of actions, overrides, controllers and credentials, whatever happens. */

import type { ControllerKind } from "../../src/domain/actions/action.ts";
import type { World } from "../../src/testing/world.ts";
import { actionBreaches } from "../long-run/action-checks.ts";
import type { GatewayBox, RunningGateway } from "../long-run/gateway-box.ts";
import { Acknowledged } from "../long-run/invariants/acknowledged.ts";
import { credentialBreaches } from "../long-run/invariants/credentials.ts";
import { controllerBreaches } from "../long-run/invariants/one-controller.ts";
import { overrideBreaches } from "../long-run/invariants/override-peace.ts";
import { JournalWatch } from "../long-run/journal-watch.ts";
import { entriesOf, field } from "../long-run/json-fields.ts";
import type { Deed } from "./resident.ts";
import { Resident } from "./resident.ts";

const ENDING_SLACK_MS = 60_000;

export class Checks {
  readonly #world: World;
  readonly #box: GatewayBox;
  readonly journal: JournalWatch;
  readonly #actions = new Acknowledged();

  constructor(world: World, box: GatewayBox) {
    this.#world = world;
    this.#box = box;
    this.journal = new JournalWatch(world, box);
  }

  /** Judges an answer at the moment it came. */
  answered({ answer, targetId, isCommand, what }: Deed): readonly string[] {
    const { status, body } = answer;
    if (!Resident.isFair(status)) return [`${what} was answered ${status} ${JSON.stringify(body)}`];
    const { running } = this.#box;
    if (!isCommand || targetId === null || running === null) return [];
    const inCharge = this.#enabled(running).filter((claim) => claim.targetId === targetId);
    if (status === 422) return inCharge.length > 0 ? [] : [`${what} was refused although nothing is switched on`];
    if (status === 200) this.#actions.remember(String(field(body, "id")));
    const active = running.gateway.store
      .all("schedule-state")
      .filter((row) => !row.status.state.startsWith("INACTIVE"))
      .filter((row) => running.gateway.store.get("schedule", row.status.scheduleId)?.schedule.targetId === targetId);
    return status === 200 && active.length > 0 ? [`${what} was taken although a schedule is active`] : [];
  }

  afterMinute(): readonly string[] {
    const { running } = this.#box;
    if (running === null) return [];
    const { store } = running.gateway;
    return [
      ...actionBreaches(this.#world, running, { slackMs: ENDING_SLACK_MS }),
      ...controllerBreaches(this.#enabled(running)),
      ...overrideBreaches(
        store.all("action").map(({ action, origin, createdAtMs }) => ({
          id: action.id,
          targetId: action.targetId,
          origin: origin ?? "client",
          createdAtMs,
        })),
        store.all("override").map(({ override }) => override),
      ),
    ];
  }

  async newJournal(): Promise<readonly string[]> {
    return await this.journal.read(({ event, epoch, seq }) => this.#world.events.add(event, [epoch, seq]));
  }

  /** What was acknowledged before a crash is there after it. */
  afterStart(running: RunningGateway): readonly string[] {
    return this.#actions.breaches((id) => running.gateway.store.get("action", id) !== null);
  }

  /** A page of each kind, as an app asks for it. */
  static pageBreaches(url: string, answer: { status: number; body: unknown }): readonly string[] {
    if (answer.status !== 200) return [`${url} was answered ${answer.status} ${JSON.stringify(answer.body)}`];
    return entriesOf(answer.body).length > 0 ? [] : [`${url} is empty`];
  }

  /** What the API shows of devices whose credentials were refused. */
  static credentialBreaches(user: unknown, hvacs: unknown): readonly string[] {
    const linkedVendors = field(user, "linkedVendors") as Parameters<typeof credentialBreaches>[0][0]["linkedVendors"];
    const assets = entriesOf(hvacs) as Parameters<typeof credentialBreaches>[1];
    return credentialBreaches([{ id: "home", linkedVendors }], assets);
  }

  #enabled({ gateway: { store } }: RunningGateway): readonly { targetId: string; kind: ControllerKind }[] {
    const schedules = store.all("schedule").filter(({ schedule }) => schedule.isEnabled);
    return [
      ...schedules.map(({ schedule }) => ({ targetId: schedule.targetId, kind: "schedule" as const })),
      ...store
        .all("vehicle-smart")
        .filter(({ policy }) => policy.isEnabled)
        .map(({ vehicleId }) => ({ targetId: vehicleId, kind: "smart-charging" as const })),
      ...store
        .all("charger-smart")
        .filter(({ policy }) => policy.isEnabled)
        .map(({ chargerId }) => ({ targetId: chargerId, kind: "smart-charging" as const })),
      ...store
        .all("hvac-smart")
        .filter(({ policy }) => policy.isEnabled)
        .map(({ hvacId }) => ({ targetId: hvacId, kind: "smart-policy" as const })),
    ];
  }
}
