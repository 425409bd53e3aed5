import { type InterventionTexts, paragraphs } from "./text.ts";

export const DANISH: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Tilknyt din konto igen" : `Tilknyt din ${brand}-konto igen`,
    description: paragraphs(
      `Adgangen til ${brand ?? "denne enhed"} er ikke længere gyldig. Det sker, når adgangskoden er ændret, eller når tilladelsen er trukket tilbage.`,
      "1. Åbn den app, hvor du tilknyttede enheden.\n2. Vælg **Tilknyt igen**.\n3. Log ind, og bekræft dine enheder.",
      "Dine enheder, deres historik og deres tidsplaner bevares.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Få enheden online igen" : `Få din ${brand}-enhed online igen`,
    description: paragraphs(
      `Gatewayen får intet svar fra ${brand === null ? "enheden" : `${brand}-enheden`}.`,
      "1. Kontrollér, at enheden har strøm og ikke viser en fejl.\n2. Kontrollér netværkskablet eller wi-fi, og at enheden er på samme netværk som gatewayen.\n3. Hvis routeren er blevet udskiftet, skal du give enheden dens tidligere adresse igen.\n4. Sluk enheden, vent et minut, og tænd den igen.",
      "Gatewayen bliver ved med at prøve. Du behøver ikke at sætte noget op igen.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Tillad styring" : `Tillad styring af din ${brand}-enhed`,
    description: paragraphs(
      `${brand === null ? "Denne enhed" : `Din ${brand}-enhed`} må læses, men ikke styres, fordi den tilladelse ikke blev givet ved tilknytningen.`,
      "Tilknyt enheden en gang til i din app, og lad tilladelsen til at **styre** den være markeret.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Få styringen bekræftet" : `Få styringen af din ${brand}-enhed bekræftet`,
    description: paragraphs(
      "Gatewayen ved, hvordan denne model styres, men ingen har endnu bekræftet, at det virker på netop denne enhed. Indtil da læser den kun.",
      "Bed din installatør om at afprøve kommandoen, mens enheden iagttages, og om at bekræfte styringen i gatewayens konfiguration.",
    ),
  }),
  "check-installation": (brand) => ({
    title:
      brand === null
        ? "Kontrollér, hvordan enheden er installeret"
        : `Kontrollér, hvordan din ${brand}-enhed er installeret`,
    description: paragraphs(
      brand === null
        ? "Det, enheden viser, passer ikke til resten af huset."
        : `Det, din ${brand}-enhed viser, passer ikke til resten af huset.`,
      "Et kabel eller en sensor kan være vendt om, faser kan være byttet om, eller den forkerte model kan være valgt. Gatewayens installationskontrol viser, hvad der blev målt.",
      "Bed din installatør om at sammenligne værdierne med enheden og bekræfte den rettelse, som gatewayen foreslår.",
    ),
  }),
  "other-controller": (brand) => ({
    title:
      brand === null
        ? "Find ud af, hvem der ellers styrer enheden"
        : `Find ud af, hvem der ellers styrer din ${brand}-enhed`,
    description: paragraphs(
      `Gatewayen havde indstillet ${brand === null ? "enheden" : `din ${brand}-enhed`}, og nogen har ændret det: en anden app eller energistyring, en tidsplan i selve enheden eller en person ved enheden. Gatewayen gav efter.`,
      "1. Var det dig selv, skal du ikke gøre noget.\n2. Led ellers efter tidsplaner og automatiske funktioner i producentens app og i andre energistyringer, og lad kun én af dem være slået til.\n3. Giv derefter din kommando igen.",
      "Meddelelsen forsvinder, når gatewayen igen styrer enheden, eller når enheden er tilbage i normal drift.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Slå Modbus TCP til" : `Slå Modbus TCP til på din ${brand}-enhed`,
    description: paragraphs(
      `Gatewayen kommunikerer med ${brand === null ? "enheden" : `${brand}-enheden`} via Modbus TCP. Det er ofte slået fra ved levering.`,
      "1. Åbn enhedens indstillinger på dens skærm eller egen webside. Der kan være brug for en installatøradgangskode.\n2. Slå **Modbus TCP** til på port 502. For solcelleudstyr skal du vælge **SunSpec**, hvor det tilbydes.\n3. Hvis styring skal tillades særskilt, skal du også tillade den.",
    ),
  }),
};
