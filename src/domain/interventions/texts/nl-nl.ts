import { type InterventionTexts, paragraphs } from "./text.ts";

/** For the Netherlands and Belgium: none of these words differ between them. */
export const DUTCH: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Koppel uw account opnieuw" : `Koppel uw ${brand}-account opnieuw`,
    description: paragraphs(
      `De toegang tot ${brand ?? "dit apparaat"} is niet meer geldig. Dat gebeurt na een wijziging van het wachtwoord of wanneer de toestemming is ingetrokken.`,
      "1. Open de app waarin u het apparaat hebt gekoppeld.\n2. Kies **Opnieuw koppelen**.\n3. Meld u aan en bevestig uw apparaten.",
      "Uw apparaten, hun geschiedenis en hun schema’s blijven behouden.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Breng het apparaat weer online" : `Breng uw ${brand}-apparaat weer online`,
    description: paragraphs(
      `De gateway krijgt geen antwoord van ${brand === null ? "het apparaat" : `het ${brand}-apparaat`}.`,
      "1. Controleer of het apparaat stroom heeft en geen fout toont.\n2. Controleer de netwerkkabel of de wifi, en of het apparaat in hetzelfde netwerk zit als de gateway.\n3. Is uw router vervangen, geef het apparaat dan zijn vorige adres terug.\n4. Schakel het apparaat uit, wacht een minuut en schakel het weer in.",
      "De gateway blijft het proberen; u hoeft niets opnieuw in te stellen.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Sta besturing toe" : `Sta besturing van uw ${brand}-apparaat toe`,
    description: paragraphs(
      `${brand === null ? "Dit apparaat" : `Uw ${brand}-apparaat`} mag worden uitgelezen, maar niet bestuurd, omdat die toestemming bij het koppelen niet is gegeven.`,
      "Koppel het apparaat nog een keer in uw app en laat de toestemming om het te **besturen** aangevinkt.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Laat de besturing bevestigen" : `Laat de besturing van uw ${brand}-apparaat bevestigen`,
    description: paragraphs(
      "De gateway weet hoe dit model wordt bestuurd, maar nog niemand heeft bevestigd dat het op dit apparaat werkt. Tot dan leest de gateway het alleen uit.",
      "Vraag uw installateur om de opdracht bij het apparaat zelf uit te proberen en om de besturing in de configuratie van de gateway te bevestigen.",
    ),
  }),
  "check-installation": (brand) => ({
    title:
      brand === null
        ? "Controleer hoe het apparaat is geïnstalleerd"
        : `Controleer hoe uw ${brand}-apparaat is geïnstalleerd`,
    description: paragraphs(
      brand === null
        ? "Wat dit apparaat meldt, past niet bij de rest van het huis."
        : `Wat uw ${brand}-apparaat meldt, past niet bij de rest van het huis.`,
      "Misschien zit een kabel of sensor omgekeerd, zijn fasen verwisseld of is het verkeerde model ingesteld. De installatiecontrole van de gateway toont wat er is gemeten.",
      "Vraag uw installateur de waarden met het apparaat te vergelijken en de correctie te bevestigen die de gateway voorstelt.",
    ),
  }),
  "other-controller": (brand) => ({
    title:
      brand === null ? "Ga na wie het apparaat nog meer bestuurt" : `Ga na wie uw ${brand}-apparaat nog meer bestuurt`,
    description: paragraphs(
      `De gateway had ${brand === null ? "dit apparaat" : `uw ${brand}-apparaat`} ingesteld en iemand anders heeft dat gewijzigd: een andere app of energiemanager, een schema in het apparaat zelf of een persoon bij het apparaat. De gateway heeft toegegeven.`,
      "1. Was u het zelf, dan hoeft u niets te doen.\n2. Zoek anders in de app van de fabrikant en in andere energiemanagers naar schema’s en automatische standen, en laat er maar één ingeschakeld.\n3. Geef daarna uw opdracht opnieuw.",
      "Deze melding verdwijnt zodra de gateway het apparaat weer bestuurt of het apparaat weer normaal werkt.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Schakel Modbus TCP in" : `Schakel Modbus TCP in op uw ${brand}-apparaat`,
    description: paragraphs(
      `De gateway communiceert met ${brand === null ? "het apparaat" : `het ${brand}-apparaat`} via Modbus TCP. Dat staat bij levering vaak uit.`,
      "1. Open de instellingen van het apparaat, op het scherm of op zijn eigen webpagina. Mogelijk is een installateurswachtwoord nodig.\n2. Schakel **Modbus TCP** in op poort 502; kies bij zonne-energieapparatuur **SunSpec** als dat wordt aangeboden.\n3. Moet besturing apart worden toegestaan, sta die dan ook toe.",
    ),
  }),
};
