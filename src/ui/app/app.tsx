/** The home page: who signs in, the frame around the pages, and which of them is shown. */
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { ApiError, ask, useCsrfToken as takeCsrfToken, whenSignedOut } from "./api.ts";
import { codeInAddress } from "./code-in-address.ts";
import { HouseContext, type Session } from "./context.ts";
import { Frame } from "./frame.tsx";
import { type HouseStream, openHouse, useHouse } from "./live/house.ts";
import { loadPart, type Trouble } from "./load-part.ts";
import { HomePage } from "./pages/home.tsx";
import { SetupNotice } from "./pages/setup/notice.tsx";
import { type SetupState, useSetup, useWayToSetup } from "./pages/setup/use-setup.ts";
import { SignInPage } from "./pages/sign-in.tsx";
import { Mark } from "./parts/icons.tsx";
import { lazy } from "./parts/lazy.tsx";
import { useRoute } from "./router.ts";
import { type ChosenLanguage, type Language, LanguageContext, languageOf, useLanguage } from "./texts.ts";

const AddPage = lazy("add", () => import("./pages/add.tsx").then((part) => part.AddPage));
const ChargingPage = lazy("charging", () => import("./pages/charging.tsx").then((part) => part.ChargingPage));
const ClaimPage = lazy("claim", () => import("./pages/claim.tsx").then((part) => part.ClaimPage));
const DevicePage = lazy("device", () => import("./pages/device.tsx").then((part) => part.DevicePage));
const DevicesPage = lazy("devices", () => import("./pages/devices.tsx").then((part) => part.DevicesPage));
const HistoryPage = lazy("history", () => import("./pages/history.tsx").then((part) => part.HistoryPage));
const HousePage = lazy("house", () => import("./pages/house.tsx").then((part) => part.HousePage));
const PlanPage = lazy("plan", () => import("./pages/plan.tsx").then((part) => part.PlanPage));
const SettingsPage = lazy("settings", () => import("./pages/settings/settings.tsx").then((part) => part.SettingsPage));
const SetupPage = lazy("setup", () => import("./pages/setup/setup.tsx").then((part) => part.SetupPage));

type Door = { readonly at: "checking" | "unclaimed" | "invited" | "signed-out" | "ended" | "away" } | SignedIn;

interface SignedIn {
  readonly at: "in";
  readonly session: Session;
  readonly stream: HouseStream;
}

const AGAIN_MS = 3_000;
/** Whether the setup is finished changes once. */
const SELDOM_MS = 30_000;

export function App() {
  const [chosen, setChosen] = useState(() => localStorage.getItem("language"));
  const wanted = useMemo(() => languageOf(chosen, navigator.languages), [chosen]);
  const { language, trouble } = useTexts(wanted);
  const [door, setDoor] = useDoor();
  useEffect(() => {
    document.documentElement.lang = wanted.code;
    if (chosen !== null) localStorage.setItem("language", chosen);
  }, [chosen, wanted]);
  if (language === null) {
    return (
      <div class="cover">
        <p class="mark">
          <Mark />
          <span>hemgate</span>
        </p>
        {trouble === null ? null : <Unread language={wanted} isAway={trouble === "away"} />}
      </div>
    );
  }
  return (
    <LanguageContext.Provider value={language}>
      {trouble === null ? null : <Unread language={wanted} isAway={trouble === "away"} />}
      <Doors door={door} onDoor={setDoor} onLanguage={setChosen} />
    </LanguageContext.Provider>
  );
}

/** What is said in place of texts that could not be loaded. A gateway that is away is asked again by itself. */
function Unread({ language, isAway }: { readonly language: ChosenLanguage; readonly isAway: boolean }) {
  return (
    <p class="away row between" role="alert" lang={language.code}>
      <span>{language.broken}</span>
      {isAway ? null : (
        <button class="b s" type="button" onClick={() => location.reload()}>
          {language.again}
        </button>
      )}
    </p>
  );
}

/** The language with its texts; while they are loaded, the one before. Nothing is drawn before they are asked for. */
function useTexts(wanted: ChosenLanguage) {
  const [state, setState] = useState({ language: null as Language | null, trouble: null as Trouble | null });
  useLayoutEffect(() => {
    let isOver = false;
    const onTrouble = (trouble: Trouble): void => {
      if (!isOver) setState(({ language }) => ({ language, trouble }));
    };
    void loadPart(wanted.name, wanted.load, onTrouble).then((texts) => {
      if (texts !== null && !isOver) setState({ language: { ...wanted, texts }, trouble: null });
    });
    return () => {
      isOver = true;
    };
  }, [wanted]);
  return state;
}

/** Asked for while the texts are loaded. */
function useDoor() {
  const [door, setDoor] = useState<Door>({ at: "checking" });
  useLayoutEffect(() => {
    whenSignedOut(() =>
      setDoor((before) => {
        if (before.at !== "in") return { at: "signed-out" };
        before.stream.close();
        return { at: "ended" };
      }),
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      findDoor().then((found) => {
        setDoor(found);
        if (found.at === "away") timer = setTimeout(look, AGAIN_MS);
      });
    };
    look();
    return () => clearTimeout(timer);
  }, []);
  return [door, setDoor] as const;
}

interface DoorsProps {
  readonly door: Door;
  readonly onDoor: (door: Door) => void;
  readonly onLanguage: (code: string) => void;
}

function Doors({ door, onDoor, onLanguage }: DoorsProps) {
  const { texts } = useLanguage();
  const enter = (session: Session): void => onDoor(goIn(session));
  switch (door.at) {
    case "checking":
      return <p class="cover muted">{texts.loading}</p>;
    case "away":
      return <p class="cover away">{texts.away}</p>;
    case "unclaimed":
      return <ClaimPage onSession={enter} />;
    case "invited":
      return <ClaimPage isInvited onSession={enter} />;
    case "signed-out":
    case "ended":
      return <SignInPage hasEnded={door.at === "ended"} onSession={enter} onCode={() => onDoor({ at: "invited" })} />;
    case "in":
      return <Inside door={door} onLanguage={onLanguage} onLeave={() => onDoor({ at: "signed-out" })} />;
  }
}

function goIn(session: Session): SignedIn {
  takeCsrfToken(session.csrfToken);
  return { at: "in", session, stream: openHouse() };
}

async function findDoor(): Promise<Door> {
  try {
    return goIn(await ask<Session>("GET", "/local/session"));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return { at: "away" };
  }
  try {
    const { isClaimed } = await ask<{ isClaimed: boolean }>("GET", "/local/claim");
    if (!isClaimed) return { at: "unclaimed" };
    return { at: codeInAddress() === "" ? "signed-out" : "invited" };
  } catch {
    return { at: "away" };
  }
}

interface InsideProps {
  readonly door: SignedIn;
  readonly onLanguage: (code: string) => void;
  readonly onLeave: () => void;
}

function Inside({ door, onLanguage, onLeave }: InsideProps) {
  const { session, stream } = door;
  const house = useHouse(stream);
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
