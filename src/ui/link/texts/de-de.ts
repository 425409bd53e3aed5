import type { LinkTexts } from "../link-texts.ts";

const LOCATION = "Wo das Gerät steht, damit die richtigen Preise und Zeitpläne gelten.";

export const GERMAN: LinkTexts = {
  gateway: "Energie-Gateway",
  servedFrom: (host) => `Diese Seite kommt vom Gateway in Ihrem Zuhause (${host}).`,
  cancel: "Abbrechen",
  back: "Zurück",
  next: "Weiter",
  skipToContent: "Zum Inhalt springen",
  progress: (step, of) => `Schritt ${step} von ${of}`,
  kinds: {
    battery: { one: "Batteriespeicher", many: "Batteriespeicher" },
    charger: { one: "Wallbox", many: "Wallboxen" },
    hvac: { one: "Heiz- oder Klimagerät", many: "Heiz- und Klimageräte" },
    inverter: { one: "Wechselrichter", many: "Wechselrichter" },
    meter: { one: "Stromzähler", many: "Stromzähler" },
    vehicle: { one: "Elektroauto", many: "Elektroautos" },
  },
  and: "und",
  anApp: "Die App",
  ownPage: {
    undo: "Sie können ein Gerät auf der Seite des Gateways jederzeit entfernen.",
    empty: "Dieses Gateway kennt keinen Weg zu Geräten dieser Art.",
    leave: "Zurück zur Seite des Gateways",
    lead: "Ihr Gateway nimmt Geräte aus Ihrem Zuhause auf seine Seite. Das dauert etwa zwei Minuten.",
    leadAgain: "Ihr Gateway hat den Zugang zu diesem Gerät verloren. Verlauf und Zeitpläne bleiben erhalten.",
    consent: "Was darf das Gateway?",
    privacy: "Ihre Daten gehen von diesem Gateway direkt zum Hersteller und zu niemandem sonst.",
    done: "Das Gateway arbeitet ab jetzt hiermit:",
    used: "Jeder Link gilt einmal. Um weitere Geräte hinzuzufügen, beginnen Sie auf der Seite des Gateways neu.",
    expired: "Er galt 24 Stunden. Beginnen Sie auf der Seite des Gateways neu; es geht nichts verloren.",
    attempts: "Das waren zu viele Versuche. Beginnen Sie auf der Seite des Gateways neu.",
  },
  intro: {
    title: (what) => `${what} verknüpfen`,
    titleBrand: (brand) => `${brand}-Geräte verknüpfen`,
    titleAgain: "Gerät erneut verknüpfen",
    lead: (app) => `${app} möchte mit Geräten in Ihrem Zuhause arbeiten. Das dauert etwa zwei Minuten.`,
    leadAgain: (app) => `${app} hat den Zugang zu Ihrem Gerät verloren. Verlauf und Zeitpläne bleiben erhalten.`,
    promises: [
      {
        title: "Sie entscheiden",
        text: "Sie sehen jede Erlaubnis, bevor Sie sie erteilen, und wählen die Geräte selbst.",
      },
      {
        title: "Bleibt zu Hause",
        text: "Ihre Anmeldedaten verwendet das Gateway in Ihrem Zuhause und sonst niemand.",
      },
      { title: "Jederzeit widerrufbar", text: "Sie können den Zugang in der App jederzeit beenden." },
    ],
    begin: "Los geht’s",
  },
  brand: {
    title: "Marke wählen",
    lead: "Von wem ist Ihr Gerät? Der Name steht auf dem Typenschild oder in der App.",
    search: "Marken suchen",
    doSearch: "Suchen",
    none: (query) => `Hier heißt keine Marke „${query}“.`,
    slow: "Zurzeit instabil",
    out: "Nicht verfügbar",
    empty: {
      title: "Hier gibt es nichts zu verknüpfen",
      text: "Dieses Gateway kennt keine Geräte der Art, nach der die App fragt.",
    },
  },
  service: {
    title: (brand) => `Wie ist Ihr ${brand}-Gerät angebunden?`,
    lead: "Wählen Sie das Modell oder den Dienst, den Sie nutzen.",
    local: "In Ihrem Heimnetz",
  },
  outage: {
    title: (brand) => `${brand} ist nicht erreichbar`,
    text: "Die letzten Anmeldungen dort sind gescheitert. Das liegt nicht an Ihnen. Bitte versuchen Sie es in einer Viertelstunde noch einmal.",
    other: "Andere Marke wählen",
    leave: "Zurück zur App",
  },
  consent: {
    title: (app) => `${app} bittet um Zugang`,
    lead: (brand) => `Zu Ihren ${brand}-Geräten. Wählen Sie ab, was Sie nicht erlauben möchten.`,
    leadFixed: (site) =>
      `Zu Geräten von „${site}“, die das Gateway schon kennt. Was erlaubt ist, sagen seine Einstellungen.`,
    scopes: {
      "battery:read:data": { label: "Speicher sehen", about: "Ladestand, Leistung und Betriebsart." },
      "battery:read:location": { label: "Standort sehen", about: LOCATION },
      "battery:control:operation_mode": { label: "Speicher steuern", about: "Umschalten, wie er lädt und entlädt." },
      "charger:read:data": { label: "Wallbox sehen", about: "Ob ein Auto angesteckt ist, Leistung und Grenzen." },
      "charger:control:charging": { label: "Laden steuern", about: "Starten, stoppen und den Strom begrenzen." },
      "hvac:read:data": { label: "Gerät sehen", about: "Temperaturen, Betriebsart und Verbrauch." },
      "hvac:control:mode": { label: "Gerät steuern", about: "Betriebsart und Temperatur einstellen." },
      "inverter:read:data": { label: "Wechselrichter sehen", about: "Was er erzeugt und erzeugt hat." },
      "inverter:read:location": { label: "Standort sehen", about: LOCATION },
      "meter:read:data": { label: "Zähler sehen", about: "Was das Haus aus dem Netz bezieht und einspeist." },
      "meter:read:location": { label: "Standort sehen", about: LOCATION },
      "vehicle:read:data": { label: "Auto sehen", about: "Ladestand, Reichweite, Kilometerstand und Laden." },
      "vehicle:read:location": { label: "Standort sehen", about: "Damit Zeitpläne nur zu Hause gelten." },
      "vehicle:control:charging": { label: "Laden steuern", about: "Starten, stoppen und den Strom begrenzen." },
    },
    required: "Nötig",
    note: "Nichts wird geteilt, bevor Sie Ihre Geräte gewählt haben.",
    allow: "Erlauben und weiter",
  },
  searching: {
    title: "Das Gateway sieht sich um",
    text: (brand) => `Es sucht ${brand}-Geräte in Ihrem Heimnetz. Das dauert ein paar Sekunden.`,
    manual: "Stattdessen Adresse eingeben",
  },
  signIn: {
    title: (portal) => `Bei ${portal} anmelden`,
    lead: (portal) => `Verwenden Sie dieselben Daten wie in ${portal}.`,
    titleLocal: (brand) => `Wo ist Ihr ${brand}-Gerät?`,
    leadLocal: "Die Adresse finden Sie in den Einstellungen des Geräts oder in der Geräteliste Ihres Routers.",
    leadPlate: "Die Nummer steht auf dem Typenschild.",
    submit: "Anmelden",
    submitLocal: "Gerät finden",
    searchAgain: "Noch einmal suchen",
    show: "Zeigen",
    hide: "Verbergen",
    optional: "freiwillig",
    privacy: "Ihre Daten gehen von diesem Gateway direkt zum Hersteller. Die App sieht sie nie.",
    fields: {
      username: { label: "Benutzername" },
      email: { label: "E-Mail-Adresse" },
      password: { label: "Passwort" },
      "api-key": { label: "API-Schlüssel", hint: "Sie erzeugen ihn in den Einstellungen Ihres Kontos dort." },
      code: { label: "Code" },
      host: { label: "Netzwerkadresse", hint: "Zum Beispiel 192.168.1.40" },
      port: { label: "Port", hint: "Lassen Sie ihn, wie er ist, außer Sie haben ihn am Gerät geändert." },
      unit: { label: "Unit-Nummer", hint: "Lassen Sie sie, außer mehrere Geräte teilen sich die Adresse." },
      text: { label: "Antwort" },
      number: { label: "Zahl" },
      confirm: { label: "Ich stimme zu" },
    },
  },
  challenge: {
    title: "Code eingeben",
    lead: (portal) => `${portal} hat Ihnen einen Code geschickt oder zeigt einen in seiner App.`,
    submit: "Bestätigen",
  },
  press: {
    title: "Taste am Gerät drücken",
    lead: (device) => `Drücken Sie die Taste an Ihrem Gerät (${device}) und machen Sie hier binnen 30 Sekunden weiter.`,
    submit: "Gedrückt",
  },
  away: {
    title: (portal) => `Weiter bei ${portal}`,
    text: (host) => `Sie melden sich auf ${host} an und kommen von selbst hierher zurück.`,
    go: (portal) => `Zu ${portal}`,
  },
  wait: {
    title: (portal) => `Bei ${portal} bestätigen`,
    text: "Öffnen Sie die Seite, auf diesem oder einem anderen Gerät, und geben Sie diesen Code ein:",
    code: "Code",
    open: (host) => `${host} öffnen`,
    waiting: "Wir warten auf Sie. Diese Seite geht von selbst weiter.",
  },
  busy: {
    title: "Einen Moment",
    text: (portal) => `Das Gateway spricht mit ${portal}. Das kann bis zu einer halben Minute dauern.`,
  },
  devices: {
    title: "Geräte wählen",
    lead: "Nur die angekreuzten werden verknüpft.",
    unnamed: "Gerät",
    linked: "Schon verknüpft",
    confirm: "Verknüpfen",
    manual: "Es ist nicht dabei",
  },
  setup: {
    title: (device) => `Einstellungen: ${device}`,
    lead: "Das kann das Gateway nicht am Gerät ablesen. Was hier falsch ist, wird falsch gelesen oder befohlen: Lassen Sie stehen, was Sie nicht wissen.",
    submit: "Weiter",
    range: (min, max, unit) => `Von ${measure(min)} bis ${measure(max, unit)}.`,
    controls: {
      "battery.mode": "Arbeitsweise des Speichers",
      "battery.powerSetpoint": "Leistung beim erzwungenen Laden und Entladen",
      "inverter.powerLimit": "Leistungsgrenze des Wechselrichters",
      "charger.maxCurrent": "Ladestrom",
      "charger.enabled": "Laden starten und anhalten",
      "charger.phases": "Eine oder drei Phasen",
      "hvac.mode": "Betriebsart",
      "hvac.heatSetpoint": "Solltemperatur beim Heizen",
      "hvac.coolSetpoint": "Solltemperatur beim Kühlen",
      "hvac.holdType": "Eigener Zeitplan oder feste Einstellung",
      "hvac.maxPower": "Höchste Leistung",
      "vehicle.enabled": "Laden starten und anhalten",
      "vehicle.maxCurrent": "Ladestrom",
    },
    states: {
      SELF_RELIANCE: "selbständig",
      TIME_OF_USE: "eigener Zeitplan",
      IMPORT_FOCUS: "erzwungen laden",
      EXPORT_FOCUS: "erzwungen entladen",
      IDLE: "ruhen",
      OFF: "aus",
      AUTO: "automatisch",
      HEAT: "heizen",
      COOL: "kühlen",
      SCHEDULED: "eigener Zeitplan",
      PERMANENT: "feste Einstellung",
      true: "starten",
      false: "anhalten",
    },
    timer: (control) => `Die Zeitschaltung des Geräts, die einen Befehl beendet (${control})`,
    confidence: {
      documented: "Vom Hersteller beschrieben",
      "cross-checked": "Zwei Quellen stimmen überein",
      "vendor-list": "Aus einer Liste des Herstellers, nicht erprobt",
      "single-source": "Nur eine Quelle",
      derived: "Erschlossen, nicht erprobt",
      unverified: "Ungeprüft",
      conflict: "Quellen widersprechen sich",
    },
    source: (source) => `Quelle: ${source}`,
    faults: {
      missing: "Bitte ausfüllen.",
      unticked: "Zum Weitermachen bitte anhaken.",
      notANumber: "Schreiben Sie eine Zahl ohne Trennzeichen zwischen Tausendern, wie 2000 oder 2,5.",
      tooLow: (min, unit) => `Mindestens ${measure(min, unit)}.`,
      tooHigh: (max, unit) => `Höchstens ${measure(max, unit)}.`,
    },
  },
  done: {
    title: "Fertig",
    titleAgain: "Zugang wiederhergestellt",
    text: (app) => `${app} kann ab jetzt hiermit arbeiten:`,
    later: "Kommt in einigen Minuten",
    whyLater: (portal) =>
      `${portal} darf nur ab und zu gefragt werden. Was fehlt, öffnet das Gateway von selbst; Sie müssen hier nicht warten.`,
    complete: "Abschließen",
  },
  failed: {
    title: "Etwas ist schiefgegangen",
    text: "Das Gateway konnte diesen Schritt nicht beenden. Es wurde nichts verknüpft.",
    again: "Noch einmal versuchen",
    leave: "Zurück zur App",
  },
  closed: {
    unknown: {
      title: "Dieser Link ist nicht bekannt",
      text: "Vielleicht wurde er nur zum Teil kopiert. Öffnen Sie die App und beginnen Sie dort neu.",
    },
    left: {
      title: "Das war alles",
      text: "Sie können diese Seite schließen und zur App zurückgehen.",
    },
    used: {
      title: "Dieser Link wurde schon benutzt",
      text: "Jeder Link gilt einmal. Um weitere Geräte zu verknüpfen, beginnen Sie in der App neu.",
    },
    expired: {
      title: "Dieser Link ist abgelaufen",
      text: "Er galt 24 Stunden. Beginnen Sie in der App neu; es geht nichts verloren.",
    },
    leave: "Zurück zur App",
  },
  placeFaults: {
    "connection-refused": "Dieser Port nimmt keine Verbindung an.",
    "no-such-host": "Unter dieser Adresse ist kein Gerät.",
    "name-not-found": "Das Netzwerk kennt diesen Namen nicht.",
    "outside-house": "Diese Adresse liegt nicht in Ihrem Heimnetz.",
    "no-serial-port": "Diese serielle Schnittstelle lässt sich nicht öffnen.",
    "wrong-unit": "Kein Gerät hat diese Unit-Nummer.",
    "wrong-device": "Unter dieser Adresse ist ein Gerät anderer Art.",
    "not-answering": "Das Gerät unter dieser Adresse antwortet nicht.",
  },
  unitTried: (unit, usual) =>
    unit === usual || usual === ""
      ? `Versucht: Unit-Nummer ${unit}, die übliche. Wurde sie geändert, sind 1, 2, 3, 247 und 255 häufig.`
      : `Versucht: Unit-Nummer ${unit}. Bei diesem Hersteller ist ${usual} üblich; häufig sind auch 1, 2, 3, 247 und 255.`,
  placeRanges: { port: "Eine ganze Zahl von 1 bis 65535.", unit: "Eine ganze Zahl von 0 bis 255." },
  faults: {
    "invalid-credentials": "Diese Anmeldedaten wurden nicht angenommen. Prüfen Sie sie und versuchen Sie es erneut.",
    "failed-auth-challenge": "Dieser Code wurde nicht angenommen. Prüfen Sie ihn oder fordern Sie einen neuen an.",
    denied:
      "Der Zugriff wurde auf der Seite des Herstellers nicht erlaubt. Versuchen Sie es noch einmal, oder brechen Sie ab.",
    "code-expired": "Der Code wurde nicht rechtzeitig eingegeben. Gehen Sie von hier weiter, dann gibt es einen neuen.",
    "connection-refused":
      "Unter dieser Adresse ist ein Gerät, aber es nimmt an diesem Port keine Verbindung an. Prüfen Sie den Port, und schalten Sie die Schnittstelle (etwa Modbus TCP) in den Einstellungen des Geräts ein.",
    "no-such-host":
      "Unter dieser Adresse ist kein Gerät. Prüfen Sie die Adresse in der Geräteliste Ihres Routers, und ob das Gerät an ist.",
    "name-not-found":
      "Das Netzwerk kennt kein Gerät mit diesem Namen. Geben Sie stattdessen seine Adresse ein, etwa 192.168.1.40, ohne http:// davor.",
    "outside-house":
      "Diese Adresse liegt nicht in Ihrem Heimnetz. Geben Sie die Adresse ein, die das Gerät zu Hause hat, etwa 192.168.1.40.",
    "no-serial-port":
      "Das Gateway kann diese serielle Schnittstelle nicht öffnen. Prüfen Sie ihren Namen und ob der Adapter steckt, und schließen Sie andere Programme, die sie verwenden.",
    "out-of-range":
      "Ein Port ist eine ganze Zahl von 1 bis 65535, eine Unit-Nummer eine von 0 bis 255. Korrigieren Sie sie unten.",
    "wrong-unit":
      "Die Verbindung steht, aber dahinter ist kein Gerät mit dieser Unit-Nummer. Prüfen Sie die Unit-Nummer (Slave-ID) in den Einstellungen des Geräts.",
    "not-answering":
      "Das Gerät antwortet nicht. Prüfen Sie seine Unit-Nummer, falls es eine hat, schließen Sie andere Programme, die es verwenden, und starten Sie es neu.",
    "wrong-device":
      "Dort antwortet etwas, aber kein Gerät dieser Art. Prüfen Sie die Adresse, oder gehen Sie zurück und wählen Sie eine andere Art.",
    "rate-limited": "Zu viele Versuche in kurzer Zeit. Warten Sie ein paar Minuten.",
    unavailable: "Der Dienst des Herstellers antwortet gerade nicht. Versuchen Sie es in ein paar Minuten wieder.",
    "missing-field": "Bitte füllen Sie alle Felder aus.",
    "wrong-value": "Unten stimmt etwas noch nicht.",
    "nothing-chosen": "Wählen Sie mindestens ein Gerät.",
    "no-devices": "In diesem Konto gibt es kein Gerät dieser Art.",
    "wrong-devices":
      "Das sind andere Geräte als zuvor. Melden Sie sich mit dem Konto an, das Sie damals verwendet haben.",
    "too-many-devices": "Mehr Geräte lässt dieses Gateway nicht zu.",
    "too-many-attempts": "Das waren zu viele Versuche. Beginnen Sie in der App neu.",
    noDevicesLocal: "Von selbst wurde kein Gerät gefunden. Sie können die Adresse eingeben.",
  },
};

function measure(value: number, unit = ""): string {
  const number = String(value).replace(".", ",");
  return unit === "" ? number : `${number} ${unit}`;
}
