/** The configuration in use: where a section comes from, and how a change of it restarts the gateway. */
import { useState } from "preact/hooks";
import { ApiError, ask } from "../../api.ts";
import { isAway, type Polled, usePolled } from "../../live/poll.ts";
import { Button, Outcome, useTask } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";

export interface Section<Value = unknown> {
  readonly name: string;
  readonly origin: "file" | "fleet" | "api" | "default";
  readonly isSettable: boolean;
  readonly variables: readonly string[];
  readonly value: Value;
}

export interface Configuration {
  readonly sections: readonly Section[];
  /** The versions of the API that are served, newest first. */
  readonly apiVersions: readonly string[];
  readonly sources: { readonly prices: readonly string[]; readonly forecasts: readonly string[] };
}

/** What stands in place of a secret that is stored. */
export const HIDDEN = "[redacted]";

export function useConfiguration(): Polled<Configuration> {
  return usePolled<Configuration>("/local/configuration", 0);
}

/** Returns a section with a value of this type; `null` before it is known, or where the section is not used. */
export function sectionOf<Value>(configuration: Configuration | null, name: string): Section<Value> | null {
  const found = configuration?.sections.find((section) => section.name === name);
  return found === undefined ? null : (found as Section<Value>);
}

/** Says where a section comes from, and so where it can be changed. */
export function Origin({ section, name }: { readonly section: Section | null; readonly name: string }) {
  const { texts } = useLanguage();
  const { origin } = texts.settings;
  const from = section?.origin ?? "default";
  return (
    <>
      <p class="hint">{from === "api" ? origin.api : origin[from](name)}</p>
      {section === null || section.variables.length === 0 ? null : (
        <p class="hint">{origin.variables(section.variables.join(", "))}</p>
      )}
    </>
  );
}

const LOOK_EACH_MS = 300;
/** A restart begins within this time, and is over within the other. */
const BEGINS_WITHIN_MS = 8_000;
const ENDS_WITHIN_MS = 60_000;

/** Resolves when the gateway has restarted and answers again. */
async function restarted(): Promise<void> {
  let wasAway = false;
  for (let waited = 0; waited < ENDS_WITHIN_MS; waited += LOOK_EACH_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EACH_MS));
    try {
      await ask("GET", "/local/session");
      if (wasAway || waited > BEGINS_WITHIN_MS) return;
    } catch (error) {
      if (error instanceof ApiError && !isAway(error)) throw error;
      wasAway = true;
    }
  }
}

interface SaverProps {
  readonly section: Section | null;
  readonly name: "pricing" | "forecast" | "mqtt" | "backup" | "http";
  /** Returns the section as it is to be. */
  readonly value: () => object;
  readonly onDone: () => void;
}

/** The buttons that save a section or remove it; both restart the gateway. Nothing if it is not set here. */
export function SectionSaver({ section, name, value, onDone }: SaverProps) {
  const { texts } = useLanguage();
  const { settings } = texts;
  const task = useTask({ 409: texts.errors.setElsewhere });
  const [isSure, setSure] = useState(false);
  if (section?.isSettable === false) return null;
  const change = (method: "PUT" | "DELETE", body?: object): void =>
    task.run(async () => {
      await ask(method, `/local/configuration/${name}`, body);
      await restarted();
      setSure(false);
      onDone();
    });
  return (
    <>
      <p class="hint">{settings.restart}</p>
      <div class="acts">
        <Button kind="p" task={task} onClick={() => change("PUT", value())}>
          {task.isBusy ? settings.restarting : settings.saveRestart}
        </Button>
        {section?.origin === "api" ? (
          <Button kind="q" task={task} onClick={() => (isSure ? change("DELETE") : setSure(true))}>
            {isSure ? settings.removeRestart : texts.remove}
          </Button>
        ) : null}
      </div>
      <Outcome task={task} done={texts.saved} />
    </>
  );
}
