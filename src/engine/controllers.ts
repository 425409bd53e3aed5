import type { ControllerKind } from "../domain/action.ts";
import type { Controller, Controllers } from "./services/control.ts";

/** Which feature is in charge of which target. Features register once, when the engine is made. */
export class ControllerRegistry implements Controllers {
  readonly #controllers: Controller[] = [];

  register(controller: Controller): void {
    this.#controllers.push(controller);
  }

  inChargeOf(targetId: string): ControllerKind | null {
    return this.#controllers.find((controller) => controller.controls(targetId))?.kind ?? null;
  }

  async takeOver(targetId: string, by: ControllerKind): Promise<void> {
    for (const controller of this.#controllers) if (controller.kind !== by) await controller.release(targetId);
  }
}
