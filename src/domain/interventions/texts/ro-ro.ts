import { type InterventionTexts, paragraphs } from "./text.ts";

export const ROMANIAN: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Asociați din nou contul" : `Asociați din nou contul ${brand}`,
    description: paragraphs(
      `Accesul la ${brand ?? "acest dispozitiv"} nu mai este valabil. Acest lucru se întâmplă după schimbarea parolei sau când permisiunea a fost retrasă.`,
      "1. Deschideți aplicația în care ați asociat dispozitivul.\n2. Alegeți **Asociați din nou**.\n3. Conectați-vă și confirmați dispozitivele.",
      "Dispozitivele dumneavoastră, istoricul și programările lor se păstrează.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Restabiliți conexiunea dispozitivului" : `Restabiliți conexiunea dispozitivului ${brand}`,
    description: paragraphs(
      `Gateway-ul nu primește niciun răspuns de la ${brand === null ? "dispozitiv" : `dispozitivul ${brand}`}.`,
      "1. Verificați dacă dispozitivul este alimentat și nu afișează nicio eroare.\n2. Verificați cablul de rețea sau conexiunea Wi-Fi și dacă dispozitivul se află în aceeași rețea cu gateway-ul.\n3. Dacă routerul a fost înlocuit, atribuiți din nou dispozitivului adresa anterioară.\n4. Opriți dispozitivul, așteptați un minut și porniți-l din nou.",
      "Gateway-ul continuă să încerce; nu trebuie să configurați nimic din nou.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Permiteți controlul" : `Permiteți controlul dispozitivului ${brand}`,
    description: paragraphs(
      `${brand === null ? "Acest dispozitiv" : `Dispozitivul dumneavoastră ${brand}`} poate fi citit, dar nu și controlat, deoarece această permisiune nu a fost acordată la asociere.`,
      "Asociați dispozitivul încă o dată în aplicație și lăsați bifată permisiunea de a-l **controla**.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Cereți confirmarea controlului" : `Cereți confirmarea controlului dispozitivului ${brand}`,
    description: paragraphs(
      "Gateway-ul știe să controleze acest model, dar nimeni nu a confirmat încă faptul că acest lucru funcționează chiar pe acest dispozitiv. Până atunci, doar îl citește.",
      "Rugați instalatorul să încerce comanda urmărind dispozitivul și să confirme controlul în configurația gateway-ului.",
    ),
  }),
  "check-installation": (brand) => ({
    title: brand === null ? "Verificați instalarea dispozitivului" : `Verificați instalarea dispozitivului ${brand}`,
    description: paragraphs(
      brand === null
        ? "Ceea ce indică acest dispozitiv nu se potrivește cu restul casei."
        : `Ceea ce indică dispozitivul ${brand} nu se potrivește cu restul casei.`,
      "Poate că un cablu sau un senzor este montat invers, fazele sunt inversate sau este setat modelul greșit. Verificarea instalării din gateway arată ce s-a măsurat.",
      "Rugați instalatorul să compare valorile cu dispozitivul și să confirme corecția propusă de gateway.",
    ),
  }),
  "other-controller": (brand) => ({
    title:
      brand === null ? "Aflați cine mai controlează dispozitivul" : `Aflați cine mai controlează dispozitivul ${brand}`,
    description: paragraphs(
      `Gateway-ul reglase ${brand === null ? "acest dispozitiv" : `dispozitivul ${brand}`}, iar altcineva a schimbat reglajul: altă aplicație sau alt sistem de gestionare a energiei, un program orar al dispozitivului sau o persoană aflată lângă el. Gateway-ul a cedat.`,
      "1. Dacă ați fost dumneavoastră, nu trebuie să faceți nimic.\n2. Altfel, căutați programe orare și moduri automate în aplicația producătorului și în alte sisteme de gestionare a energiei și lăsați activat doar unul.\n3. Apoi dați comanda din nou.",
      "Acest mesaj dispare când gateway-ul controlează din nou dispozitivul sau când dispozitivul revine la starea normală.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Activați Modbus TCP" : `Activați Modbus TCP pe dispozitivul ${brand}`,
    description: paragraphs(
      `Gateway-ul comunică cu ${brand === null ? "dispozitivul" : `dispozitivul ${brand}`} prin Modbus TCP, care este adesea dezactivat la livrare.`,
      "1. Deschideți setările dispozitivului, pe ecranul sau pe pagina web a acestuia. Poate fi necesară o parolă de instalator.\n2. Activați **Modbus TCP** pe portul 502; pentru echipamente solare alegeți **SunSpec**, dacă este disponibil.\n3. Dacă permisiunea de control se acordă separat, acordați-o și pe aceasta.",
    ),
  }),
};
