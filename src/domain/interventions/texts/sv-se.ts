import { type InterventionTexts, paragraphs } from "./text.ts";

export const SWEDISH: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Länka ditt konto igen" : `Länka ditt ${brand}-konto igen`,
    description: paragraphs(
      `Åtkomsten till ${brand ?? "den här enheten"} gäller inte längre. Det händer när lösenordet har ändrats eller när behörigheten har tagits tillbaka.`,
      "1. Öppna appen där du länkade enheten.\n2. Välj **Länka igen**.\n3. Logga in och bekräfta dina enheter.",
      "Dina enheter, deras historik och scheman finns kvar.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Få enheten online igen" : `Få din ${brand}-enhet online igen`,
    description: paragraphs(
      `Gatewayen får inget svar från ${brand === null ? "enheten" : `${brand}-enheten`}.`,
      "1. Kontrollera att enheten har ström och inte visar något fel.\n2. Kontrollera nätverkskabeln eller wifi, och att enheten finns i samma nätverk som gatewayen.\n3. Om routern har bytts ut ger du enheten tillbaka dess tidigare adress.\n4. Stäng av enheten, vänta en minut och slå på den igen.",
      "Gatewayen fortsätter att försöka. Du behöver inte ställa in något på nytt.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Tillåt styrning" : `Tillåt styrning av din ${brand}-enhet`,
    description: paragraphs(
      `${brand === null ? "Den här enheten" : `Din ${brand}-enhet`} får läsas men inte styras, eftersom den behörigheten inte gavs när enheten länkades.`,
      "Länka enheten en gång till i appen och låt behörigheten att **styra** den vara ikryssad.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Få styrningen bekräftad" : `Få styrningen av din ${brand}-enhet bekräftad`,
    description: paragraphs(
      "Gatewayen vet hur den här modellen styrs, men ingen har ännu bekräftat att det fungerar på just den här enheten. Tills dess läser den bara.",
      "Be installatören att prova kommandot samtidigt som enheten övervakas och att bekräfta styrningen i gatewayens konfiguration.",
    ),
  }),
  "check-installation": (brand) => ({
    title:
      brand === null ? "Kontrollera hur enheten är installerad" : `Kontrollera hur din ${brand}-enhet är installerad`,
    description: paragraphs(
      brand === null
        ? "Det som enheten visar stämmer inte med resten av huset."
        : `Det som din ${brand}-enhet visar stämmer inte med resten av huset.`,
      "En kabel eller givare kan vara vänd, faser kan vara förväxlade eller fel modell kan vara vald. Gatewayens installationskontroll visar vad som uppmättes.",
      "Be din installatör jämföra värdena med enheten och bekräfta rättelsen som gatewayen föreslår.",
    ),
  }),
  "other-controller": (brand) => ({
    title: brand === null ? "Ta reda på vem mer som styr enheten" : `Ta reda på vem mer som styr din ${brand}-enhet`,
    description: paragraphs(
      `Gatewayen hade ställt in ${brand === null ? "enheten" : `din ${brand}-enhet`}, och någon har ändrat det: en annan app eller energistyrning, ett schema i själva enheten eller en person vid enheten. Gatewayen gav efter.`,
      "1. Var det du själv behöver du inte göra något.\n2. Leta annars efter scheman och automatiska lägen i tillverkarens app och i andra energistyrningar, och låt bara ett av dem vara på.\n3. Ge sedan ditt kommando igen.",
      "Meddelandet försvinner när gatewayen styr enheten igen eller när enheten är tillbaka i normal drift.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Slå på Modbus TCP" : `Slå på Modbus TCP på din ${brand}-enhet`,
    description: paragraphs(
      `Gatewayen kommunicerar med ${brand === null ? "enheten" : `${brand}-enheten`} via Modbus TCP. Det är ofta avstängt vid leverans.`,
      "1. Öppna enhetens inställningar, på dess skärm eller egna webbsida. Ett installatörslösenord kan behövas.\n2. Slå på **Modbus TCP** på port 502. För solcellsutrustning väljer du **SunSpec** där det finns.\n3. Om styrning måste tillåtas separat tillåter du även det.",
    ),
  }),
};
