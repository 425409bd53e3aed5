/** What the gateway is connected with: MQTT, Home Assistant, the cloud service, vendors' clouds, web pages. */
import { Fragment } from "preact";
import { ask } from "../../api.ts";
import { useRight } from "../../context.ts";
import { waitText } from "../../error-text.ts";
import { clock, number } from "../../format.ts";
import { usePolled } from "../../live/poll.ts";
import { Outcome, useTask } from "../../parts/form.tsx";
import type { CloudLinkView, ModbusProxyState, VendorAccountView } from "../../shapes.ts";
import { useLanguage } from "../../texts.ts";
import { sectionOf, useConfiguration } from "./configuration.tsx";
import { MqttCard, type MqttSection } from "./mqtt-card.tsx";
import { OriginsCard } from "./origins-card.tsx";
import { SureButton } from "./sure.tsx";

const EACH_MS = 30_000;

export function ConnectionsPage() {
  const { texts } = useLanguage();
  const { pages, about } = texts.settings;
  return (
    <>
      <div class="lead">
        <h1>{pages.connections}</h1>
        <p>{about.connections}</p>
      </div>
      <div class="cols">
        <div class="stack c6">
          <CloudCard />
          <VendorsCard />
          <ModbusCard />
        </div>
        <div class="stack c6">
          <ConfigurationCards />
        </div>
      </div>
    </>
  );
}

function CloudCard() {
  const { texts, code } = useLanguage();
  const { links } = texts.settings;
  const mayCut = useRight("people");
  const cloud = usePolled<CloudLinkView>("/local/cloud", EACH_MS);
  const task = useTask({ 409: texts.errors.setElsewhere });
  const { value } = cloud;
  const time = new Intl.DateTimeFormat(code, { dateStyle: "short", timeStyle: "short" });
  const waiting = value?.streams.reduce((sum, stream) => sum + stream.waiting, 0) ?? 0;
  return (
    <section class="card" aria-labelledby="h-cloud">
      <header>
        <h2 id="h-cloud">{links.cloud}</h2>
      </header>
      {value === null ? (
        <p class="second">{waitText(cloud.error, texts)}</p>
      ) : (
        <div class="stack">
          <p>{links.states[value.state]}</p>
          {value.state === "NOT_ENROLLED" ? null : (
            <>
              {value.reason === null ? null : (
                <p class="small second" lang="en">
                  {[value.reason, value.remedy].filter((part) => part !== null).join(". ")}
                </p>
              )}
              <dl class="about">
                {value.identity === null ? null : (
                  <>
                    <dt>{links.name}</dt>
                    <dd>{value.identity.gateway}</dd>
                  </>
                )}
                <dt>{links.lastContact}</dt>
                <dd>{value.lastContactAt === null ? "–" : time.format(Date.parse(value.lastContactAt))}</dd>
                <dt>{links.waiting}</dt>
                <dd>{number(waiting, code, 0)}</dd>
                {value.configuration.sections.length === 0 ? null : (
                  <>
                    <dt>{links.revision}</dt>
                    <dd>{value.configuration.sections.join(", ")}</dd>
                  </>
                )}
              </dl>
              {mayCut ? (
                <SureButton
                  task={task}
                  question={links.cutSure}
                  onSure={() => task.run(() => ask("DELETE", "/local/cloud").finally(cloud.refresh))}
                >
                  {links.cut}
                </SureButton>
              ) : null}
            </>
          )}
          <Outcome task={task} />
        </div>
      )}
    </section>
  );
}

function VendorsCard() {
  const { texts, code } = useLanguage();
  const { links } = texts.settings;
  const vendors = usePolled<readonly VendorAccountView[]>("/local/vendors", EACH_MS);
  return (
    <section class="card" aria-labelledby="h-vendors">
      <header>
        <h2 id="h-vendors">{links.vendors}</h2>
      </header>
      {vendors.value === null ? <p class="second">{waitText(vendors.error, texts)}</p> : null}
      {vendors.value?.length === 0 ? <p class="second">{links.noVendors}</p> : null}
      <ul class="list">
        {vendors.value?.map(({ vendor, displayName, account, isSignedIn, answered, failed, nextPollAt, quotas }) => (
          <li key={`${vendor} ${account}`}>
            <div class="entry">
              <p>
                <span class="t">{displayName}</span>
                <br />
                <span class="small second">
                  {links.answered(
                    answered,
                    Object.values(failed).reduce((sum, count) => sum + count, 0),
                  )}
                  {nextPollAt === null ? "" : ` · ${links.nextPoll(clock(Date.parse(nextPollAt), code))}`}
                </span>
              </p>
              {isSignedIn ? null : <p class="error">{links.signedOut}</p>}
              {quotas.map(({ name, subject, limit, left }) => (
                <label class="field small" key={`${name} ${subject ?? ""}`}>
                  <span lang="en">{[name, subject].filter((part) => part !== null).join(" ")}</span>
                  <meter min={0} max={limit} value={left} low={limit * 0.1} />
                  <span class="hint">{links.left(number(left, code, 0), number(limit, code, 0))}</span>
                </label>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What to enter in another program that reads a device through the gateway. */
function ModbusCard() {
  const { texts } = useLanguage();
  const { links, origin } = texts.settings;
  const { value, error } = usePolled<ModbusProxyState>("/local/modbus-proxy", EACH_MS);
  const port = value?.listening[0]?.port;
  return (
    <section class="card" aria-labelledby="h-modbus">
      <header>
        <h2 id="h-modbus">{links.modbus}</h2>
      </header>
      <div class="stack">
        {value === null ? <p class="second">{waitText(error, texts)}</p> : null}
        {value === null || port === undefined ? null : (
          <>
            <p class="small second">{links.modbusAbout}</p>
            <dl class="about">
              {value.devices.map(({ deviceId, name, unit }) => (
                <Fragment key={`${deviceId} ${unit}`}>
                  <dt>{name ?? deviceId}</dt>
                  <dd>
                    {location.hostname}:{port}, {links.unit(unit)}
                  </dd>
                </Fragment>
              ))}
            </dl>
          </>
        )}
        {value !== null && port === undefined ? <p>{links.modbusOff}</p> : null}
        <p class="hint">{origin.fileOnly("modbusProxy")}</p>
      </div>
    </section>
  );
}

/** What is in the configuration. */
function ConfigurationCards() {
  const { texts } = useLanguage();
  const configuration = useConfiguration();
  if (configuration.value === null) return <p class="second">{waitText(configuration.error, texts)}</p>;
  const mqtt = sectionOf<MqttSection | undefined>(configuration.value, "mqtt");
  const http = sectionOf<{ readonly corsOrigins: readonly string[] }>(configuration.value, "http");
  return (
    <>
      <MqttCard key={JSON.stringify(mqtt?.value ?? null)} section={mqtt} onDone={configuration.refresh} />
      <OriginsCard key={JSON.stringify(http?.value ?? null)} section={http} onDone={configuration.refresh} />
    </>
  );
}
