import type { InterventionKind } from "./intervention.ts";
import type { Translations } from "./language.ts";

/** The words of a remedy, for a brand or (null) for any. */
export type InterventionText = (brand: string | null) => { readonly title: string; readonly description: string };

type Texts = Readonly<Record<InterventionKind, InterventionText>>;

const ENGLISH: Texts = {
  relink: (brand) => ({
    title: brand === null ? "Link your account again" : `Link your ${brand} account again`,
    description: paragraphs(
      `The access to ${brand ?? "this device"} is no longer valid. This happens after a change of password, or when the permission was taken back.`,
      "1. Open the app in which you linked the device.\n2. Choose **Link again**.\n3. Sign in and confirm your devices.",
      "Your devices, their history and their schedules stay as they are.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Bring the device back online" : `Bring your ${brand} device back online`,
    description: paragraphs(
      `The gateway gets no answer from ${brand === null ? "the device" : `the ${brand} device`}.`,
      "1. Check that the device has power and shows no error.\n2. Check its network cable or Wi-Fi, and that it is in the same network as the gateway.\n3. If your router was replaced, give the device its former address again.\n4. Switch the device off, wait for a minute, and switch it on.",
      "The gateway keeps trying; nothing has to be set up again.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Allow control" : `Allow control of your ${brand} device`,
    description: paragraphs(
      `${brand === null ? "This device" : `Your ${brand} device`} may be read, but not controlled, because that permission was not given when it was linked.`,
      "Link the device once more in your app and leave the permission to **control** it ticked.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Have control confirmed" : `Have control of your ${brand} device confirmed`,
    description: paragraphs(
      "The gateway knows how to control this model, but nobody has confirmed yet that it works on this very device. Until then it only reads.",
      "Ask your installer to try the command while watching the device, and to confirm the control in the gateway's configuration.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Switch on Modbus TCP" : `Switch on Modbus TCP on your ${brand} device`,
    description: paragraphs(
      `The gateway talks to ${brand === null ? "the device" : `the ${brand} device`} over Modbus TCP. It is often switched off at delivery.`,
      "1. Open the settings of the device, on its display or its own web page. An installer's password may be needed.\n2. Switch on **Modbus TCP** on port 502; for solar equipment choose **SunSpec** where it is offered.\n3. Where control is set apart, allow it too.",
    ),
  }),
};

const GERMAN: Texts = {
  relink: (brand) => ({
    title: brand === null ? "Konto erneut verknüpfen" : `${brand}-Konto erneut verknüpfen`,
    description: paragraphs(
      `Der Zugang zu ${brand ?? "diesem Gerät"} gilt nicht mehr. Das passiert nach einer Änderung des Passworts oder wenn die Erlaubnis zurückgenommen wurde.`,
      "1. Öffnen Sie die App, in der Sie das Gerät verknüpft haben.\n2. Wählen Sie **Erneut verknüpfen**.\n3. Melden Sie sich an und bestätigen Sie Ihre Geräte.",
      "Ihre Geräte, deren Verlauf und Zeitpläne bleiben erhalten.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Gerät wieder erreichbar machen" : `${brand}-Gerät wieder erreichbar machen`,
    description: paragraphs(
      `Das Gateway bekommt keine Antwort ${brand === null ? "vom Gerät" : `vom ${brand}-Gerät`}.`,
      "1. Prüfen Sie, ob das Gerät Strom hat und keinen Fehler anzeigt.\n2. Prüfen Sie Netzwerkkabel oder WLAN und ob das Gerät im selben Netz wie das Gateway ist.\n3. Wurde der Router getauscht, geben Sie dem Gerät wieder seine frühere Adresse.\n4. Schalten Sie das Gerät aus, warten Sie eine Minute und schalten Sie es wieder ein.",
      "Das Gateway versucht es weiter; Sie müssen nichts neu einrichten.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Steuerung erlauben" : `Steuerung des ${brand}-Geräts erlauben`,
    description: paragraphs(
      `${brand === null ? "Dieses Gerät" : `Ihr ${brand}-Gerät`} darf gelesen, aber nicht gesteuert werden, weil diese Erlaubnis beim Verknüpfen nicht erteilt wurde.`,
      "Verknüpfen Sie das Gerät in Ihrer App noch einmal und lassen Sie die Erlaubnis zum **Steuern** angekreuzt.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Steuerung bestätigen lassen" : `Steuerung des ${brand}-Geräts bestätigen lassen`,
    description: paragraphs(
      "Das Gateway weiß, wie dieses Modell gesteuert wird, doch an diesem Gerät hat es noch niemand bestätigt. Bis dahin liest es nur.",
      "Bitten Sie Ihren Installateur, den Befehl am Gerät zu erproben und die Steuerung in der Konfiguration des Gateways zu bestätigen.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Modbus TCP einschalten" : `Modbus TCP am ${brand}-Gerät einschalten`,
    description: paragraphs(
      `Das Gateway spricht ${brand === null ? "mit dem Gerät" : `mit dem ${brand}-Gerät`} über Modbus TCP. Ab Werk ist es oft ausgeschaltet.`,
      "1. Öffnen Sie die Einstellungen des Geräts, am Display oder auf seiner eigenen Webseite. Eventuell ist ein Installateur-Passwort nötig.\n2. Schalten Sie **Modbus TCP** auf Port 502 ein; bei Solargeräten wählen Sie **SunSpec**, wo es angeboten wird.\n3. Wird die Steuerung gesondert erlaubt, erlauben Sie auch diese.",
    ),
  }),
};

/** Every language with words of its own; the others are answered in English. */
export const INTERVENTION_TEXTS: Translations<Texts> = { "en-US": ENGLISH, "de-DE": GERMAN };

function paragraphs(...texts: readonly string[]): string {
  return texts.join("\n\n");
}
