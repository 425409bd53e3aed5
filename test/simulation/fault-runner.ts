import { StorageError } from "../../src/platform/ports/storage-error.ts";
import type { WriteFault } from "../../src/testing/memory-disk.ts";
import { closedBreaches } from "../long-run/invariants/bounded.ts";
import { Tally } from "../long-run/tally.ts";
import type { FaultClass, ScriptedFault } from "./fault-script.ts";
import type { Scene } from "./scene.ts";
import type { UserScript } from "./user-script.ts";

/** How long before a kill a command was begun: some are answered by then, some are not. */
const COMMAND_BEFORE_KILL_MS = 80;
/** A fault of connecting needs a connection to be made: the one that stands is reset first. */
const RESET_FIRST_MS = 10_000;
const MAX_FAILED_WRITES = 4;
const MAX_FAILED_OPENS = 3;
const LOOK_AGAIN_MS = 10_000;
const START_AGAIN_MS = 2_000;

/** Makes scripted faults happen, and counts those that really struck. */
export class FaultRunner {
  readonly #scene: Scene;
  readonly #userScript: UserScript;
  readonly #fired = new Tally();

  constructor(scene: Scene, userScript: UserScript) {
    this.#scene = scene;
    this.#userScript = userScript;
  }

  fired(kind: FaultClass): number {
    return this.#fired.get(kind) ?? [...this.#scene.world.net.faults.fired].find(([net]) => net === kind)?.[1] ?? 0;
  }

  async strike(fault: ScriptedFault): Promise<void> {
    const { world, house, checks } = this.#scene;
    world.events.add("fault", fault);
    switch (fault.kind) {
      case "gateway-kill":
        return await this.#kill(fault);
      case "gateway-restart":
        return await this.#restart(fault);
      case "disk-refuses":
        return this.#failDisk(fault);
      case "device-restart":
        house.restart(fault.device, fault.lastsMs);
        checks.deviceRestarts(fault.device, this.#nowMs() + fault.lastsMs);
        return this.#fired.count(fault.kind);
      default: {
        const window = { host: house.hostOf(fault.device), fromMs: this.#nowMs(), share: fault.share };
        const { kind } = fault;
        world.net.faults.schedule({ ...window, kind, untilMs: window.fromMs + fault.lastsMs });
        if (kind !== "refused" && kind !== "unreachable") return;
        world.net.faults.schedule({ ...window, kind: "reset", share: 1, untilMs: window.fromMs + RESET_FIRST_MS });
      }
    }
  }

  /** Ends the gateway in order and judges what it leaves. */
  async stop(): Promise<void> {
    const { run, world, box, checks } = this.#scene;
    const isReachable = checks.isQuiet("inverter");
    run.broke(await checks.newJournal());
    const held = await box.stop();
    if (held !== null) world.events.add("gateway ended", {});
    run.broke([...(held === null ? [] : closedBreaches(held)), ...checks.afterStep()]);
    if (isReachable) run.broke(checks.afterStop());
  }

  /** Ends the gateway without a word, now and then in the middle of a command. */
  async #kill(fault: ScriptedFault): Promise<void> {
    const { world, box, random, user } = this.#scene;
    if (box.running === null) return;
    if (random.isChance(0.5)) {
      void this.#userScript.command(user.nextCommand());
      await world.clock.advance(random.next() * COMMAND_BEFORE_KILL_MS);
    }
    box.kill();
    world.events.add("gateway ended", {});
    this.#fired.count(fault.kind);
    this.#startLater(fault.lastsMs);
  }

  async #restart(fault: ScriptedFault): Promise<void> {
    if (this.#scene.box.running === null) return;
    await this.stop();
    this.#fired.count(fault.kind);
    this.#startLater(fault.lastsMs);
  }

  /** As systemd does: a gateway that cannot start is started again. */
  async #start(): Promise<void> {
    const { run, world, box, checks } = this.#scene;
    try {
      run.broke(await checks.afterStart(await box.start()));
    } catch (error) {
      if (!(error instanceof StorageError) || error.kind !== "refused") throw error;
      world.events.add("start failed", { error });
      this.#startLater(START_AGAIN_MS);
    }
  }

  #startLater(afterMs: number): void {
    this.#scene.run.in(afterMs, () => this.#start());
  }

  /** The next batches fail, on disk all the same or not, and the first tries to open the database anew do, too. */
  #failDisk(fault: ScriptedFault): void {
    const { disk, random } = this.#scene;
    const count = 1 + random.below(MAX_FAILED_WRITES);
    disk.failWrites(...Array.from({ length: count }, () => random.pick<WriteFault>(["lost", "kept"])));
    disk.failOpens(random.below(MAX_FAILED_OPENS));
    this.#lookForBatches(fault.kind, disk.batches);
  }

  /** It struck once somebody wrote. */
  #lookForBatches(kind: FaultClass, before: number): void {
    const { disk, run } = this.#scene;
    run.in(LOOK_AGAIN_MS, async () => {
      if (disk.batches > before) this.#fired.count(kind);
      else this.#lookForBatches(kind, before);
    });
  }

  #nowMs(): number {
    return this.#scene.world.clock.monotonicMs();
  }
}
