/** The web pages that may use the API from a browser: the setting `http.corsOrigins` of the configuration. */
import { useState } from "preact/hooks";
import { Button, Field } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { Origin, type Section, SectionSaver } from "./configuration.tsx";

type HttpSection = Section<{ readonly corsOrigins: readonly string[] }>;

interface OriginsCardProps {
  readonly section: HttpSection | null;
  readonly onDone: () => void;
}

export function OriginsCard({ section, onDone }: OriginsCardProps) {
  const { texts } = useLanguage();
  const { links } = texts.settings;
  const [origins, setOrigins] = useState(section?.value.corsOrigins ?? []);
  const isSettable = section?.isSettable === true;
  // Where the gateway listens is in the same section, and has its own variables.
  const own = section && { ...section, variables: section.variables.filter((name) => name.includes("ORIGINS")) };
  return (
    <section class="card" aria-labelledby="h-origins">
      <header>
        <h2 id="h-origins">{links.origins}</h2>
      </header>
      <div class="stack">
        <p class="small second">{links.originsAbout}</p>
        {origins.length === 0 ? (
          <p>{links.noOrigins}</p>
        ) : (
          <ul class="lines">
            {origins.map((origin) => (
              <li key={origin} class="row between">
                <span class="long">{origin}</span>
                {isSettable ? (
                  <Button kind="q s" onClick={() => setOrigins(origins.filter((other) => other !== origin))}>
                    {texts.remove}
                    <span class="sr"> {origin}</span>
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
        {isSettable ? <AddOrigin onAdd={(origin) => setOrigins([...new Set([...origins, origin])])} /> : null}
        <SectionSaver section={section} name="http" value={() => ({ corsOrigins: origins })} onDone={onDone} />
        <Origin section={own} name="http.corsOrigins" />
      </div>
    </section>
  );
}

function AddOrigin({ onAdd }: { readonly onAdd: (origin: string) => void }) {
  const { texts } = useLanguage();
  const { links, addRow } = texts.settings;
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const origin = originOf(text);
    setWrong(origin === null);
    if (origin === null) return;
    onAdd(origin);
    setText("");
  };
  return (
    <form class="form" onSubmit={submit}>
      <Field label={links.origin} hint={links.originHint} value={text} onText={setText} required />
      <p role="status" class="error">
        {isWrong ? links.originWrong : ""}
      </p>
      <Button type="submit" kind="s">
        {addRow}
      </Button>
    </form>
  );
}

/** Scheme, host and port of an address, as a browser sends them; `null` if it is no address of a web page. */
function originOf(text: string): string | null {
  const typed = text.trim();
  return /^https?:\/\//u.test(typed) && URL.canParse(typed) ? new URL(typed).origin : null;
}
