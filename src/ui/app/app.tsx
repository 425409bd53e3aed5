/** The home page: who signs in, the frame around the pages, and which of them is shown. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { ApiError, ask, useCsrfToken as takeCsrfToken, whenSignedOut } from "./api.ts";
import { HouseContext, type Session } from "./context.ts";
import { Frame } from "./frame.tsx";
import { useHouse } from "./live/house.ts";
import { AddPage } from "./pages/add.tsx";
import { ChargingPage } from "./pages/charging.tsx";
import { ClaimPage } from "./pages/claim.tsx";
import { DevicePage } from "./pages/device.tsx";
import { DevicesPage } from "./pages/devices.tsx";
import { HistoryPage } from "./pages/history.tsx";
import { HomePage } from "./pages/home.tsx";
import { HousePage } from "./pages/house.tsx";
import { PlanPage } from "./pages/plan.tsx";
import { SettingsPage } from "./pages/settings/settings.tsx";
import { SetupNotice, SetupPage } from "./pages/setup/setup.tsx";
import { type SetupState, useSetup, useWayToSetup } from "./pages/setup/use-setup.ts";
import { SignInPage } from "./pages/sign-in.tsx";
import { useRoute } from "./router.ts";
import { LanguageContext, languageOf, useLanguage } from "./texts.ts";

type Door =
  | { readonly at: "checking" | "unclaimed" | "signed-out" | "ended" | "away" }
  | { readonly at: "in"; session: Session };
const AGAIN_MS = 3_000;
/** Whether the setup is finished changes once. */
const SELDOM_MS = 30_000;

export function App() {
  const [chosen, setChosen] = useState(() => localStorage.getItem("language"));
  const language = useMemo(() => languageOf(chosen, navigator.languages), [chosen]);
  useEffect(() => {
    document.documentElement.lang = language.code;
    if (chosen !== null) localStorage.setItem("language", chosen);
  }, [chosen, language]);
  return (
    <LanguageContext.Provider value={language}>
      <Doors onLanguage={setChosen} />
    </LanguageContext.Provider>
  );
}

function Doors({ onLanguage }: { readonly onLanguage: (code: string) => void }) {
  const [door, setDoor] = useState<Door>({ at: "checking" });
  const { texts } = useLanguage();
  const enter = (session: Session): void => {
    takeCsrfToken(session.csrfToken);
    setDoor({ at: "in", session });
  };
  useEffect(() => {
    whenSignedOut(() => setDoor(({ at }) => ({ at: at === "in" ? "ended" : "signed-out" })));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      findDoor().then((found) => {
        if (found.at === "in") return enter(found.session);
        setDoor(found);
        if (found.at === "away") timer = setTimeout(look, AGAIN_MS);
      });
    };
    look();
    return () => clearTimeout(timer);
  }, []);
  switch (door.at) {
    case "checking":
      return <p class="cover muted">{texts.loading}</p>;
    case "away":
      return <p class="cover away">{texts.away}</p>;
    case "unclaimed":
      return <ClaimPage onSession={enter} />;
    case "signed-out":
    case "ended":
      return <SignInPage hasEnded={door.at === "ended"} onSession={enter} />;
    case "in":
      return <Inside session={door.session} onLanguage={onLanguage} onLeave={() => setDoor({ at: "signed-out" })} />;
  }
}

async function findDoor(): Promise<Door> {
  try {
    return { at: "in", session: await ask<Session>("GET", "/local/session") };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return { at: "away" };
  }
  try {
    const { isClaimed } = await ask<{ isClaimed: boolean }>("GET", "/local/claim");
    return { at: isClaimed ? "signed-out" : "unclaimed" };
  } catch {
    return { at: "away" };
  }
}

interface InsideProps {
  readonly session: Session;
  readonly onLanguage: (code: string) => void;
  readonly onLeave: () => void;
}

function Inside({ session, onLanguage, onLeave }: InsideProps) {
  const house = useHouse();
  const tick = useSecond();
  const page = { session, house, nowMs: tick + house.clockOffsetMs, onLeave };
  const setup = useSetup(session.rights.includes("install"), SELDOM_MS);
  useWayToSetup(setup.value);
  return (
    <HouseContext.Provider value={page}>
      <Frame onLanguage={onLanguage}>
        <Page setup={setup.value} />
      </Frame>
    </HouseContext.Provider>
  );
}

function Page({ setup }: { readonly setup: SetupState | null }) {
  const [first = "home", second] = useRoute();
  return (
    <>
      {first === "setup" ? null : <SetupNotice setup={setup} />}
      <Shown first={first} second={second} />
    </>
  );
}

function Shown({ first, second }: { readonly first: string; readonly second: string | undefined }) {
  switch (first) {
    case "charging":
      return <ChargingPage />;
    case "devices":
      return second === undefined ? <DevicesPage /> : <DevicePage id={second} />;
    case "add":
      return <AddPage />;
    case "plan":
      return <PlanPage />;
    case "history":
      return <HistoryPage />;
    case "setup":
      return <SetupPage page={second} />;
    case "house":
      return <HousePage />;
    case "settings":
      return <SettingsPage page={second} />;
    default:
      return <HomePage />;
  }
}

/** The time, each second. */
function useSecond(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
