import { type InterventionTexts, paragraphs } from "./text.ts";

export const GERMAN: InterventionTexts = {
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
  "check-installation": (brand) => ({
    title: brand === null ? "Installation des Geräts prüfen" : `Installation des ${brand}-Geräts prüfen`,
    description: paragraphs(
      brand === null
        ? "Was dieses Gerät meldet, passt nicht zum Rest des Hauses."
        : `Was Ihr ${brand}-Gerät meldet, passt nicht zum Rest des Hauses.`,
      "Vielleicht ist ein Kabel oder Sensor verkehrt herum angebracht, sind Phasen vertauscht oder ist das falsche Modell eingestellt. Die Installationsprüfung des Gateways zeigt, was gemessen wurde.",
      "Bitten Sie Ihren Installateur, die Werte am Gerät zu vergleichen und die Korrektur zu bestätigen, die das Gateway vorschlägt.",
    ),
  }),
  "other-controller": (brand) => ({
    title: brand === null ? "Prüfen, wer das Gerät noch steuert" : `Prüfen, wer Ihr ${brand}-Gerät noch steuert`,
    description: paragraphs(
      `Das Gateway hatte ${brand === null ? "dieses Gerät" : `Ihr ${brand}-Gerät`} eingestellt, und jemand anderes hat es geändert: eine andere App oder ein anderer Energiemanager, ein Zeitplan im Gerät selbst oder eine Person am Gerät. Das Gateway hat nachgegeben.`,
      "1. Waren Sie es selbst, ist nichts zu tun.\n2. Suchen Sie sonst in der App des Herstellers und in anderen Energiemanagern nach Zeitplänen und Automatiken und lassen Sie nur eine davon eingeschaltet.\n3. Geben Sie danach Ihren Befehl noch einmal.",
      "Dieser Hinweis verschwindet, wenn das Gateway das Gerät wieder steuert oder das Gerät wieder im Normalbetrieb ist.",
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
