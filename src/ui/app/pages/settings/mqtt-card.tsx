/** MQTT and Home Assistant: the section `mqtt` of the configuration. */
import { useState } from "preact/hooks";
import { Choice, Field } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { HIDDEN, Origin, type Section, SectionSaver } from "./configuration.tsx";

export interface MqttSection {
  readonly host: string;
  readonly port: number;
  readonly tls?: unknown;
  readonly limits: object;
  readonly users: readonly { readonly username: string }[];
  readonly broker: { readonly url: string; readonly username?: string; readonly password?: string } | null;
  readonly homeAssistant: { readonly isEnabled: boolean; readonly prefix: string };
  readonly commands: { readonly isEnabled: boolean };
}

type MqttCardSection = Section<MqttSection | undefined>;

interface MqttCardProps {
  readonly section: MqttCardSection | null;
  readonly onDone: () => void;
}

export function MqttCard({ section, onDone }: MqttCardProps) {
  const { texts } = useLanguage();
  const { links } = texts.settings;
  // A section that is not set stands in no list.
  const isEditable = section === null || section.isSettable;
  return (
    <section class="card" aria-labelledby="h-mqtt">
      <header>
        <h2 id="h-mqtt">{links.mqtt}</h2>
      </header>
      <div class="stack">
        {section?.value === undefined ? <p>{links.mqttOff}</p> : null}
        {isEditable ? (
          <MqttForm section={section} onDone={onDone} />
        ) : section.value === undefined ? null : (
          <Facts settings={section.value} />
        )}
        <Origin section={section} name="mqtt" />
      </div>
    </section>
  );
}

function Facts({ settings }: { readonly settings: MqttSection }) {
  const { texts } = useLanguage();
  const { links } = texts.settings;
  const isOn = (value: boolean): string => (value ? links.on : links.off);
  return (
    <dl class="about">
      <dt>{links.broker}</dt>
      <dd>{settings.broker?.url ?? links.ownBroker(`${settings.host}:${settings.port}`)}</dd>
      <dt>{links.users}</dt>
      <dd>{settings.users.map(({ username }) => username).join(", ") || texts.settings.none}</dd>
      <dt>{links.homeAssistant}</dt>
      <dd>
        {isOn(settings.homeAssistant.isEnabled)} ({settings.homeAssistant.prefix})
      </dd>
      <dt>{links.commands}</dt>
      <dd>{isOn(settings.commands.isEnabled)}</dd>
    </dl>
  );
}

function MqttForm({ section, onDone }: MqttCardProps) {
  const { texts } = useLanguage();
  const { links } = texts.settings;
  const before = section?.value;
  const [where, setWhere] = useState<"elsewhere" | "own">(before?.broker === null ? "own" : "elsewhere");
  const [url, setUrl] = useState(before?.broker?.url ?? "");
  const [username, setUsername] = useState(before?.broker?.username ?? "");
  const [password, setPassword] = useState(before?.broker?.password ?? "");
  const [isAnnounced, setAnnounced] = useState(before?.homeAssistant.isEnabled ?? true);
  const [prefix, setPrefix] = useState(before?.homeAssistant.prefix ?? "homeassistant");
  const [isCommanded, setCommanded] = useState(before?.commands.isEnabled ?? true);
  const value = (): object => {
    const { tls: _tls, ...kept } = before ?? {};
    const signIn = { ...(username !== "" && { username }), ...(password !== "" && { password }) };
    return {
      ...kept,
      broker: where === "own" ? null : { ...before?.broker, url: url.trim(), ...signIn },
      // Other machines reach the gateway's own broker only where it listens to all of them.
      ...(where === "own" && { host: "0.0.0.0" }),
      homeAssistant: { isEnabled: isAnnounced, prefix: prefix.trim() },
      commands: { isEnabled: isCommanded },
    };
  };
  return (
    <div class="form">
      <Choice
        legend={links.broker}
        name="broker"
        value={where}
        onChoose={setWhere}
        choices={[
          { value: "elsewhere", label: links.elsewhere },
          { value: "own", label: links.own },
        ]}
      />
      {where === "own" ? (
        <p class="hint">{links.ownAbout}</p>
      ) : (
        <>
          <Field label={links.address} hint="mqtt://192.168.1.9:1883" value={url} onText={setUrl} required />
          <Field label={links.user} value={username} onText={setUsername} autoComplete="off" />
          <Field
            label={links.password}
            type="password"
            value={password === HIDDEN ? "" : password}
            hint={before?.broker?.password === HIDDEN ? links.passwordKept : undefined}
            onText={(text) => setPassword(text === "" && before?.broker?.password === HIDDEN ? HIDDEN : text)}
            autoComplete="new-password"
          />
        </>
      )}
      <Tick label={links.homeAssistant} isOn={isAnnounced} onChange={setAnnounced} />
      {isAnnounced ? <Field label={links.prefix} value={prefix} onText={setPrefix} required /> : null}
      <Tick label={links.commands} isOn={isCommanded} onChange={setCommanded} />
      <SectionSaver section={section} name="mqtt" value={value} onDone={onDone} />
    </div>
  );
}

interface TickProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Tick({ label, isOn, onChange }: TickProps) {
  return (
    <label class="row">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span class="small">{label}</span>
    </label>
  );
}
