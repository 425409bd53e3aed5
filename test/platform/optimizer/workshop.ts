import { type LinearModel, LinearModelBuilder } from "../../../src/domain/energy/plan/linear-model.ts";

/**
 * A workshop: chairs pay 30, tables 50; carpentry and finishing are short. An hour more of carpentry pays 30 up to 25, 70/3 up
 * to 100, and nothing above. `steps`: of carpentry, for the mean of its duals.
 */
export function workshop({
  carpentry = 40,
  integrality = 0,
  chairs = 30,
  steps,
}: {
  readonly carpentry?: number;
  readonly integrality?: number;
  readonly chairs?: number;
  readonly steps?: readonly [number, number];
} = {}): LinearModel {
  const builder = new LinearModelBuilder();
  builder.addColumns(2, { cost: [-chairs, -50], integrality });
  builder.addTerm(0, 1);
  builder.addTerm(1, 2);
  builder.endRow(-Infinity, carpentry);
  builder.addTerm(0, 2);
  builder.addTerm(1, 1);
  builder.endRow(-Infinity, 50);
  return steps === undefined ? builder.build() : builder.build({ rows: [0], steps });
}
