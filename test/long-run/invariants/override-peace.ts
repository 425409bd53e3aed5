import type { ActionOrigin } from "../../../src/domain/actions/action.ts";
import type { SmartOverride } from "../../../src/domain/smart/smart-override.ts";

interface Command {
  readonly id: string;
  readonly targetId: string;
  readonly origin: ActionOrigin;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}

/** While a target is overridden no feature commands it (rule I3.2). */
export function overrideBreaches(
  commands: readonly Command[],
  overrides: readonly Pick<SmartOverride, "targetId" | "createdAt" | "endedAt">[],
): readonly string[] {
  return commands
    .filter(({ origin }) => origin === "schedule" || origin === "smart-charging" || origin === "smart-policy")
    .flatMap(({ id, targetId, origin, createdAtMs }) => {
      const isOverridden = overrides.some(
        (override) =>
          override.targetId === targetId &&
          createdAtMs > Date.parse(override.createdAt) &&
          createdAtMs < (override.endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(override.endedAt)),
      );
      return isOverridden ? [`action ${id} of ${origin} was made while ${targetId} was overridden`] : [];
    });
}
