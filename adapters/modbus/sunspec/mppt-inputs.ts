import { textAtConnect } from "./connect-values.ts";
import type { ModelInstance } from "./model-instance.ts";

/** Which DC inputs of model 160 carry what, as the numbers of its modules. */
export interface MpptInputs {
  readonly pv: readonly number[];
  readonly charge: number;
  readonly discharge: number;
}

/**
 * Tells a hybrid's PV inputs from its battery's two. Fronius labels them ("StCha 3" and "StDisCha 4" on a GEN24, seen in
 * the trace of evcc#16256); without labels its order of four is MPPT 1, MPPT 2, charge, discharge. Null: nothing says
 * that one of the inputs is a battery.
 */
export function mpptInputs(instance: ModelInstance | null, manufacturer: string | null): MpptInputs | null {
  if (instance === null) return null;
  const labels = moduleLabels(instance);
  const numbers = labels.map((_label, index) => index + 1);
  const charge = labels.findIndex((label) => label.startsWith("STCHA")) + 1;
  const discharge = labels.findIndex((label) => label.startsWith("STDISCHA")) + 1;
  if (charge > 0 && discharge > 0) {
    return { pv: numbers.filter((number) => number !== charge && number !== discharge), charge, discharge };
  }
  const isUnlabelled = labels.every((label) => label === "");
  const isFronius = manufacturer?.toUpperCase().startsWith("FRONIUS") === true;
  return isFronius && isUnlabelled && labels.length === 4 ? { pv: [1, 2], charge: 3, discharge: 4 } : null;
}

function moduleLabels(instance: ModelInstance): string[] {
  const labels: string[] = [];
  while (instance.points.has(`module.${labels.length + 1}.DCW`)) {
    labels.push((textAtConnect(instance, `module.${labels.length + 1}.IDStr`) ?? "").toUpperCase());
  }
  return labels;
}
