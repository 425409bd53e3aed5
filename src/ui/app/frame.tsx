/** The frame of every page: where one can go, the language, light or dark, and whether the gateway answers. */
import type { ComponentChildren } from "preact";
import { usePage } from "./context.ts";
import { clock } from "./format.ts";
import { Icon, type IconName, Mark } from "./parts/icons.tsx";
import { useRoute } from "./router.ts";
import { LANGUAGES, useLanguage } from "./texts.ts";

const PAGES: readonly {
  readonly path: "home" | "charging" | "plan" | "history" | "devices" | "house";
  readonly icon: IconName;
}[] = [
  { path: "home", icon: "home" },
  { path: "charging", icon: "car" },
  { path: "plan", icon: "plan" },
  { path: "history", icon: "history" },
  { path: "devices", icon: "devices" },
  { path: "house", icon: "house" },
];

interface FrameProps {
  readonly onLanguage: (code: string) => void;
  readonly children: ComponentChildren;
}

export function Frame({ onLanguage, children }: FrameProps) {
  const { texts } = useLanguage();
  const [first = "home"] = useRoute();
  const current = ({ add: "devices", settings: "house", setup: "house" } as Record<string, string>)[first] ?? first;
  return (
    <>
      <button class="skip" type="button" onClick={toContent}>
        {texts.skip}
      </button>
      <div class="frame">
        <header class="top">
          <a class="mark" href="#/">
            <Mark />
            <span>hemgate</span>
          </a>
          <div class="tools">
            <LanguageChoice onLanguage={onLanguage} />
            <button class="tool" type="button" onClick={changeTheme} aria-label={texts.theme}>
              <Icon name="theme" />
            </button>
          </div>
        </header>
        <nav class="nav" aria-label={texts.pages}>
          <ul>
            {PAGES.map(({ path, icon }) => (
              <li key={path}>
                <a
                  href={path === "home" ? "#/" : `#/${path}`}
                  {...(current === path ? { "aria-current": "page" } : {})}
                >
                  <Icon name={icon} />
                  <span>{texts.nav[path]}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="main" tabIndex={-1}>
          <Contact />
          {children}
        </main>
      </div>
    </>
  );
}

/** One line while the gateway does not answer. */
function Contact() {
  const { texts, code } = useLanguage();
  const { house } = usePage();
  if (house.isConnected) return null;
  return (
    <p class="away" role="status">
      {house.lastEventAt === null ? texts.away : texts.awaySince(clock(house.lastEventAt, code))}
    </p>
  );
}

function LanguageChoice({ onLanguage }: { readonly onLanguage: (code: string) => void }) {
  const { texts, name: shown } = useLanguage();
  return (
    <select
      class="tool language"
      aria-label={texts.language}
      onChange={(event) => onLanguage(event.currentTarget.value)}
    >
      {Object.entries(LANGUAGES).map(([code, { name }]) => (
        <option key={code} value={code} selected={name === shown}>
          {name}
        </option>
      ))}
    </select>
  );
}

function toContent(): void {
  document.getElementById("main")?.focus();
}

function changeTheme(): void {
  const { dataset } = document.documentElement;
  const isDark =
    dataset["theme"] === undefined ? matchMedia("(prefers-color-scheme:dark)").matches : dataset["theme"] === "dark";
  dataset["theme"] = isDark ? "light" : "dark";
}
