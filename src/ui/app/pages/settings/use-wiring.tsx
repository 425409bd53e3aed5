/** The parts of `/local/site` that name devices, and a form of some of them that is saved at once. */
import { useState } from "preact/hooks";
import { ask } from "../../api.ts";
import { type Task, useTask } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";

export type Phase = "L1" | "L2" | "L3";

export interface Circuit {
  readonly id: string;
  readonly name?: string;
  readonly parent?: string;
  readonly fuseA?: number;
  readonly maxKw?: number;
  readonly meter?: string;
  readonly members?: readonly string[];
}

export interface Unmetered {
  readonly name: string;
  readonly maxA: number;
  readonly circuit?: string;
  readonly phases?: readonly Phase[];
}

/** What a meter measures that is not at the connection. */
export type MeterUse = "panels" | "panels-turned" | "other-panels" | "other-panels-turned" | "inside";

export interface Wiring {
  readonly gridMeter?: string;
  readonly meters?: Readonly<Record<string, MeterUse>>;
  readonly phasesOf?: Readonly<Record<string, readonly Phase[]>>;
  readonly circuits?: readonly Circuit[];
  readonly unmetered?: readonly Unmetered[];
}
export type Setting = keyof Wiring;

export interface Site {
  readonly connection: Wiring;
  readonly origins: Readonly<Record<Setting, "file" | "api" | "default">>;
  readonly warnings: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}

/** One phase, and the three orders in which a cable of three phases turns alike. */
export const PHASES = ["L1", "L2", "L3", "L1 L2 L3", "L2 L3 L1", "L3 L1 L2"];

export interface WiringForm {
  /** With what was changed and is not saved yet. */
  readonly wiring: Wiring;
  readonly isChanged: boolean;
  /** Returns true for what stands in the configuration file, where it is changed. */
  readonly isFixed: (name: Setting) => boolean;
  /** `null` takes the setting away. */
  readonly change: (part: { readonly [Name in Setting]?: Wiring[Name] | null }) => void;
  /** `chosen` is one of {@link PHASES}; empty: those that the device has usually. */
  readonly setPhases: (deviceId: string, chosen: string) => void;
  readonly task: Task;
  readonly submit: (event: SubmitEvent) => void;
}

export function useWiringForm({ connection, origins }: Site, onDone: () => void): WiringForm {
  const [changes, setChanges] = useState<{ readonly [Name in Setting]?: Wiring[Name] | null }>({});
  const { texts } = useLanguage();
  const task = useTask({ 409: texts.errors.setElsewhere });
  const wiring = { ...connection, ...changes } as Wiring;
  const change: WiringForm["change"] = (part) => setChanges({ ...changes, ...part });
  return {
    wiring,
    isChanged: Object.keys(changes).length > 0,
    isFixed: (name) => origins[name] === "file",
    change,
    setPhases: (deviceId, chosen) => {
      const { [deviceId]: _before, ...rest } = wiring.phasesOf ?? {};
      const all = chosen === "" ? rest : { ...rest, [deviceId]: chosen.split(" ") as Phase[] };
      change({ phasesOf: Object.keys(all).length === 0 ? null : all });
    },
    task,
    submit: (event) => {
      event.preventDefault();
      task.run(async () => {
        await ask("PATCH", "/local/site", changes);
        setChanges({});
        onDone();
      });
    },
  };
}
