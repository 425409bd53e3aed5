/** The last lines of the log, and a file that helps to find a fault. */
import { useState } from "preact/hooks";
import { ask } from "../../api.ts";
import { usePage } from "../../context.ts";
import { errorText } from "../../error-text.ts";
import { number } from "../../format.ts";
import { usePolled } from "../../live/poll.ts";
import { Button, Field, Outcome, useTask } from "../../parts/form.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { useLanguage } from "../../texts.ts";
import { HIDDEN } from "./configuration.tsx";

interface LogLine {
  readonly at: string;
  readonly level: "error" | "warn" | "info" | "debug";
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const LEVELS = ["debug", "info", "warn", "error"] as const;
const EACH_MS = 5_000;

export function HelpPage() {
  const { texts } = useLanguage();
  const { pages, about } = texts.settings;
  return (
    <>
      <div class="lead">
        <h1>{pages.help}</h1>
        <p>{about.help}</p>
      </div>
      <div class="cols">
        <LogCard />
        <DiagnosticsCard />
      </div>
    </>
  );
}

function LogCard() {
  const { texts, code } = useLanguage();
  const { help } = texts.settings;
  const [level, setLevel] = useState<LogLine["level"]>("debug");
  const [text, setText] = useState("");
  const [device, setDevice] = useState("");
  const query = new URLSearchParams({ level, text, ...(device === "" ? {} : { deviceId: device }) });
  const log = usePolled<readonly LogLine[]>(`/local/logs?${query.toString()}`, EACH_MS);
  const devices = usePolled<readonly LogLine[]>("/local/logs", 0).value ?? [];
  const ids = [
    ...new Set(devices.flatMap(({ fields }) => (typeof fields["deviceId"] === "string" ? [fields["deviceId"]] : []))),
  ];
  const time = new Intl.DateTimeFormat(code, { dateStyle: "short", timeStyle: "medium" });
  return (
    <section class="card c7" aria-labelledby="h-log">
      <header>
        <h2 id="h-log">{help.log}</h2>
      </header>
      <div class="stack">
        <p class="small second">{help.logAbout}</p>
        <div class="filters">
          <label class="field">
            <span>{help.level}</span>
            <select class="in" onChange={(event) => setLevel(event.currentTarget.value as LogLine["level"])}>
              {LEVELS.map((each) => (
                <option key={each} value={each} selected={each === level}>
                  {help.levels[each]}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>{help.device}</span>
            <select class="in" onChange={(event) => setDevice(event.currentTarget.value)}>
              {["", ...ids.toSorted()].map((id) => (
                <option key={id} value={id} selected={id === device}>
                  {id === "" ? help.allDevices : id}
                </option>
              ))}
            </select>
          </label>
          <Field label={help.text} value={text} onText={setText} maxLength={100} autoComplete="off" />
        </div>
        {log.error === null ? null : <p class="error">{errorText(log.error, texts)}</p>}
        {log.value?.length === 0 ? <p class="second">{help.noLines}</p> : null}
        <ol class="lines log" lang="en">
          {log.value?.map((line, index) => (
            <li key={`${line.at} ${index}`} data-level={line.level}>
              <span class="small second">
                {time.format(Date.parse(line.at))} <b>{line.level}</b>
              </span>
              <br />
              {line.text}
              {Object.keys(line.fields).length === 0 ? null : <code>{fieldsText(line.fields)}</code>}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function fieldsText(fields: LogLine["fields"]): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" · ");
}

function DiagnosticsCard() {
  const { texts, code } = useLanguage();
  const { help } = texts.settings;
  const { nowMs } = usePage();
  const [file, setFile] = useState<string | null>(null);
  const task = useTask();
  const make = (): void =>
    task.run(async () => setFile(JSON.stringify(await ask<object>("GET", "/local/diagnostics"), null, 2)));
  return (
    <section class="card c5" aria-labelledby="h-diagnostics">
      <header>
        <h2 id="h-diagnostics">{help.diagnostics}</h2>
      </header>
      <div class="stack">
        <p class="small second">{help.diagnosticsAbout}</p>
        <div class="acts">
          <Button kind={file === null ? "p" : "s"} task={task} onClick={make}>
            {help.make}
          </Button>
          {file === null ? null : (
            <Button
              kind="p"
              onClick={() =>
                saveFile(`hemgate-${new Date(nowMs).toISOString().slice(0, 10)}.json`, "application/json", file)
              }
            >
              {help.download}
            </Button>
          )}
        </div>
        <Outcome task={task} />
        {file === null ? null : (
          <>
            <p class="small second">
              {help.size(number(file.length / 1_000, code, 0))} {help.redacted(file.split(HIDDEN).length - 1)}
            </p>
            <textarea class="file" aria-label={help.content} readOnly rows={24} lang="en" value={file} />
          </>
        )}
      </div>
    </section>
  );
}
