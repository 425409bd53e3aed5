import type { ControllerKind } from "../../../src/domain/actions/action.ts";

/** A feature that is switched on for a target. */
interface Claim {
  readonly targetId: string;
  readonly kind: ControllerKind;
}

/** At most one feature is switched on for a target, and one of a kind only once (rules S2.4 and S7.5). */
export function controllerBreaches(claims: readonly Claim[]): readonly string[] {
  return [...Map.groupBy(claims, ({ targetId }) => targetId)]
    .filter(([, ofTarget]) => ofTarget.length > 1)
    .map(([targetId, ofTarget]) => `target ${targetId} has ${ofTarget.map(({ kind }) => kind).join(" and ")}`);
}
