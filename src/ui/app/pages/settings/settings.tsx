/** The settings of the gateway: a list of pages, and the page that is chosen. */
import { useRight } from "../../context.ts";
import { useLanguage } from "../../texts.ts";
import { AuditPage } from "./audit.tsx";
import { BackupsPage } from "./backups.tsx";
import { ConnectionsPage } from "./connections.tsx";
import { EncryptionPage } from "./encryption.tsx";
import { FusesPage } from "./fuses.tsx";
import { HelpPage } from "./help.tsx";
import { NotificationsPage } from "./notifications.tsx";
import { PanelsPage } from "./panels.tsx";
import { PricesPage } from "./prices.tsx";
import { ProgramsPage } from "./programs.tsx";
import { UpdatesPage } from "./updates.tsx";
import { WebhooksPage } from "./webhooks.tsx";

const PAGES = {
  fuses: FusesPage,
  prices: PricesPage,
  panels: PanelsPage,
  programs: ProgramsPage,
  webhooks: WebhooksPage,
  notifications: NotificationsPage,
  connections: ConnectionsPage,
  encryption: EncryptionPage,
  backups: BackupsPage,
  update: UpdatesPage,
  audit: AuditPage,
  help: HelpPage,
} as const;
type PageName = keyof typeof PAGES;
const NAMES = Object.keys(PAGES) as readonly PageName[];

export function SettingsPage({ page }: { readonly page: string | undefined }) {
  const { texts } = useLanguage();
  const { settings } = texts;
  const mayInstall = useRight("install");
  const name = NAMES.find((each) => each === page);
  if (!mayInstall) {
    return (
      <div class="lead">
        <h1>{settings.title}</h1>
        <p>{settings.noRight}</p>
      </div>
    );
  }
  if (name === undefined) return <List />;
  const Shown = PAGES[name];
  return (
    <>
      <p class="small">
        <a href="#/settings">‹ {settings.title}</a>
      </p>
      <Shown />
    </>
  );
}

function List() {
  const { settings } = useLanguage().texts;
  return (
    <>
      <div class="lead">
        <h1>{settings.title}</h1>
        <p>{settings.lead}</p>
      </div>
      <nav class="card flush" aria-label={settings.title}>
        <ul class="list">
          {NAMES.map((name) => (
            <li key={name}>
              <Entry name={name} />
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

function Entry({ name }: { readonly name: PageName }) {
  const { settings, house } = useLanguage().texts;
  const wordsOf = (): { readonly title: string; readonly about: string } => {
    if (name === "audit") return house.audit;
    if (name === "update") return settings.update;
    return { title: settings.pages[name], about: settings.about[name] };
  };
  const { title, about } = wordsOf();
  return (
    <a class="li wide" href={`#/settings/${name}`}>
      <span>
        <span class="t">{title}</span>
        <br />
        <span class="d">{about}</span>
      </span>
    </a>
  );
}
