import { breachText } from "../long-run/long-run.ts";
import type { FaultClass } from "./fault-script.ts";
import type { SimulationResult } from "./simulation.ts";

const LABEL_WIDTH = 16;

/** Classes of fault that never struck. */
export function unfiredClasses(result: Pick<SimulationResult, "fired">): readonly FaultClass[] {
  return result.fired.filter(({ count }) => count === 0).map(({ kind }) => kind);
}

/** What a run came to, for people. */
export function simulationText(
  result: SimulationResult,
  { tookS, timesFaster }: { readonly tookS: number; readonly timesFaster: number },
): string {
  const line = (label: string, text: string): string => `${label.padEnd(LABEL_WIDTH)}${text}`;
  const unfired = unfiredClasses(result);
  return [
    line("seed", String(result.seed)),
    line("virtual time", `${result.hours} h in ${tookS.toFixed(1)} s, ${timesFaster} times faster than real time`),
    line("readings", String(result.readings)),
    line("commands", `${result.commands}, register writes ${result.writes}, journal records ${result.journalRecords}`),
    line("checked", `${result.comparisons} values against the truth, ${result.reversions} s of reversion`),
    line("faults", result.fired.map(({ kind, count }) => `${kind} ${count}`).join(", ")),
    line("event log", `${result.events} lines, SHA-256 ${result.hash}`),
    ...(unfired.length === 0 ? [] : [line("never struck", unfired.join(", "))]),
    result.breaches.length === 0
      ? "all invariants held"
      : breachText(result, `npm run sim -- --seed ${result.seed} --hours ${result.hours}`),
  ].join("\n");
}
