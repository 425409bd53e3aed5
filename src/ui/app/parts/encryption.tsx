/** Whether this connection is encrypted, and how a device comes to trust the gateway's authority. */
import { useState } from "preact/hooks";
import { waitText } from "../error-text.ts";
import { usePolled } from "../live/poll.ts";
import type { HttpsView } from "../shapes.ts";
import { useLanguage } from "../texts.ts";

const URL = "/local/https";
const EACH_MS = 30_000;

/** For a page on which a password is entered: nothing where the connection is encrypted, or ends on this machine. */
export function EncryptionNotice() {
  const { https } = useLanguage().texts.settings;
  const { value } = usePolled<HttpsView>(URL, 0);
  if (isSecureContext || value === null || value.isThisEncrypted) return null;
  return (
    <details class="card">
      <summary>{https.notice}</summary>
      <div class="stack">
        <Encryption state={value} />
      </div>
    </details>
  );
}

/** The same with everything about the certificate, asked for again while it is shown. */
export function EncryptionCard() {
  const { texts, code } = useLanguage();
  const { https } = texts.settings;
  const { value, error } = usePolled<HttpsView>(URL, EACH_MS);
  if (value === null) return <p class="second">{waitText(error, texts)}</p>;
  const day = new Intl.DateTimeFormat(code, { dateStyle: "medium" });
  const { certificate } = value;
  return (
    <div class="stack">
      <Encryption state={value} />
      {certificate === null ? null : (
        <dl class="about">
          <dt>{https.certificate}</dt>
          <dd>{value.source === "files" ? https.fromFiles : https.fromAuthority}</dd>
          <dt>{https.validUntil}</dt>
          <dd>{day.format(new Date(certificate.validUntil))}</dd>
          <dt>{https.names}</dt>
          <dd class="long">{certificate.names.join(", ")}</dd>
        </dl>
      )}
      <p class="hint">{texts.settings.origin.fileOnly("https")}</p>
    </div>
  );
}

function Encryption({ state }: { readonly state: HttpsView }) {
  const { https } = useLanguage().texts.settings;
  const { isThisEncrypted, isListening, port, problem, source, authority, certificate } = state;
  return (
    <>
      <p>{isThisEncrypted ? https.encrypted : https.plain}</p>
      {source === "off" && !isThisEncrypted ? <p>{https.off}</p> : null}
      {problem === null ? null : (
        <p class="error">
          {https.problem} <span lang="en">{problem}</span>
        </p>
      )}
      {authority === null ? null : <Authority authority={authority} />}
      {isListening && !isThisEncrypted ? (
        <p>
          <a href={`https://${hostFor(certificate)}:${port}/`}>{https.open}</a>
        </p>
      ) : null}
    </>
  );
}

function Authority({ authority }: { readonly authority: NonNullable<HttpsView["authority"]> }) {
  const { https } = useLanguage().texts.settings;
  const { fingerprint, path } = authority;
  // The page goes on to other addresses; what was scanned is remembered while it is open.
  const [scanned] = useState(authorityInAddress);
  const isScanned = scanned === fingerprint.replaceAll(":", "");
  return (
    <>
      <p>{https.authority}</p>
      <p class="small second">{https.compare}</p>
      <p class="long">
        <code>{fingerprint}</code>
      </p>
      {scanned === null ? null : <p class={isScanned ? "small" : "error"}>{isScanned ? https.same : https.other}</p>}
      <p>
        <a href={path} download>
          {https.download}
        </a>
      </p>
      <ul class="lines small">
        {Object.values(https.devices).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

/** The host of this page if the certificate is for it, else the first of its names. */
function hostFor(certificate: HttpsView["certificate"]): string {
  const names = certificate?.names.filter((name) => !name.startsWith("*")) ?? [];
  return names.includes(location.hostname) ? location.hostname : (names[0] ?? location.hostname);
}

/** The QR code on the box has the fingerprint too. */
function authorityInAddress(): string | null {
  return /[#&]authority=([0-9A-F]{64})$/u.exec(location.hash)?.[1] ?? null;
}
