import { type InterventionTexts, paragraphs } from "./text.ts";

export const NORWEGIAN: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Koble til kontoen din på nytt" : `Koble til ${brand}-kontoen din på nytt`,
    description: paragraphs(
      `Tilgangen til ${brand ?? "denne enheten"} er ikke lenger gyldig. Det skjer når passordet er endret, eller når tillatelsen er trukket tilbake.`,
      "1. Åpne appen der du koblet til enheten.\n2. Velg **Koble til på nytt**.\n3. Logg inn og bekreft enhetene dine.",
      "Enhetene dine beholdes, med historikk og tidsplaner.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Få enheten på nett igjen" : `Få ${brand}-enheten din på nett igjen`,
    description: paragraphs(
      `Gatewayen får ikke svar fra ${brand === null ? "enheten" : `${brand}-enheten`}.`,
      "1. Kontroller at enheten har strøm og ikke viser noen feil.\n2. Kontroller nettverkskabelen eller Wi-Fi, og at enheten er i samme nettverk som gatewayen.\n3. Hvis ruteren er byttet, gir du enheten tilbake den tidligere adressen.\n4. Slå av enheten, vent et minutt og slå den på igjen.",
      "Gatewayen fortsetter å prøve. Du trenger ikke å sette opp noe på nytt.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Tillat styring" : `Tillat styring av ${brand}-enheten din`,
    description: paragraphs(
      `${brand === null ? "Denne enheten" : `${brand}-enheten din`} kan leses, men ikke styres, fordi den tillatelsen ikke ble gitt ved tilkoblingen.`,
      "Koble til enheten en gang til i appen, og la tillatelsen til å **styre** den være avkrysset.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Få styringen bekreftet" : `Få styringen av ${brand}-enheten din bekreftet`,
    description: paragraphs(
      "Gatewayen vet hvordan denne modellen styres, men ingen har ennå bekreftet at det virker på akkurat denne enheten. Inntil da leser den bare.",
      "Be installatøren om å prøve kommandoen mens enheten observeres, og om å bekrefte styringen i konfigurasjonen til gatewayen.",
    ),
  }),
  "check-installation": (brand) => ({
    title:
      brand === null ? "Kontroller hvordan enheten er installert" : `Kontroller hvordan ${brand}-enheten er installert`,
    description: paragraphs(
      brand === null
        ? "Det denne enheten viser, stemmer ikke med resten av huset."
        : `Det ${brand}-enheten viser, stemmer ikke med resten av huset.`,
      "En kabel eller sensor kan være snudd, faser kan være byttet om, eller feil modell kan være valgt. Gatewayens installasjonskontroll viser hva som ble målt.",
      "Be installatøren sammenligne verdiene med enheten og bekrefte rettelsen som gatewayen foreslår.",
    ),
  }),
  "other-controller": (brand) => ({
    title:
      brand === null ? "Finn ut hvem andre som styrer enheten" : `Finn ut hvem andre som styrer ${brand}-enheten din`,
    description: paragraphs(
      `Gatewayen hadde stilt inn ${brand === null ? "enheten" : `${brand}-enheten din`}, og noen har endret det: en annen app eller energistyring, en tidsplan i selve enheten eller en person ved enheten. Gatewayen ga etter.`,
      "1. Var det deg selv, trenger du ikke å gjøre noe.\n2. Ellers ser du etter tidsplaner og automatiske moduser i produsentens app og i andre energistyringer, og lar bare én av dem stå på.\n3. Gi deretter kommandoen på nytt.",
      "Meldingen forsvinner når gatewayen styrer enheten igjen, eller når enheten er tilbake i normal drift.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Slå på Modbus TCP" : `Slå på Modbus TCP på ${brand}-enheten din`,
    description: paragraphs(
      `Gatewayen kommuniserer med ${brand === null ? "enheten" : `${brand}-enheten`} over Modbus TCP. Det er ofte slått av ved levering.`,
      "1. Åpne innstillingene til enheten, på skjermen eller på dens egen nettside. Det kan hende at du trenger et installatørpassord.\n2. Slå på **Modbus TCP** på port 502. For solcelleutstyr velger du **SunSpec** der det tilbys.\n3. Hvis styring må tillates for seg, tillater du det også.",
    ),
  }),
};
